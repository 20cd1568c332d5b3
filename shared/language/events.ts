/** Events that documents may listen to without publishing them: what each of them says. */
export const serverEvents = {
  services: 'The cloud has changed a service or an order of the organisation.',
  notifications: 'The caller has a new notification, or one that was read elsewhere.',
  payments: 'A payment, or a payment method of the organisation, is worth reading again.',
  'psa-synchronised': 'A synchronisation of the business system has begun or ended.',
  integrations: 'How far an integration of the reseller, or of the caller, is set up has changed.',
  tickets: 'A support ticket that the caller may see was opened, answered, replied to or closed.',
  network: 'The network status, or what is announced for it, has changed.',
  exports: 'A file that is made for the caller in the background has come on, is ready or has failed.',
  permissions: 'The rights of the caller have been read again after the cloud changed them.',
  'customer-changed': 'A form that the cloud delivered has changed the customer.',
  'contact-changed': 'A form that the cloud delivered has changed the contact of the customer.',
  'mail-forwarding-changed': 'A form that the cloud delivered has changed where mail is forwarded to.',
  'account-note-changed': 'A form that the cloud delivered has changed the note of the account.',
} as const;

/** Events that documents may publish for the page itself, which no data source listens to. */
export const pageEvents = {
  palette: 'Opens the search of all that the caller may open or do.',
} as const;
