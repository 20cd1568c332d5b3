/** The agreement that a reseller signs before anything is sold. */
export const resellerAgreement = {
  id: 1,
  title: 'Reseller agreement',
  paragraphs: [
    'This agreement is between Fernhill Cloud Ltd and the reseller. It applies to every service that the reseller orders for itself or for its customers.',
    'The reseller orders services in its own name, sets its own prices and is the first to help its customers. Fernhill Cloud provides the services and helps the reseller.',
    'Services are billed monthly, in advance for fixed charges and in arrears for usage. Invoices are due within 30 days.',
    'Both sides keep personal data only for as long as a service needs it, and tell each other without delay of a breach.',
    'Either side may end this agreement with 90 days’ notice. Services that run on past that day are billed until they are deleted.',
  ],
};
