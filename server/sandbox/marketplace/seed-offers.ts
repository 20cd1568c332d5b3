import type { Billing, Offer, OfferField, Term } from './offer.ts';

const monthly: Term = { Id: 'monthly', Name: 'Monthly', Months: 1, Discount: 0 };
const yearly: Term = { Id: 'annual', Name: '1 year', Months: 12, Discount: 10 };
const threeYears: Term = { Id: 'triennial', Name: '3 years', Months: 36, Discount: 20 };
const eachMonth: Billing = { Id: 'monthly', Name: 'Every month' };
const upfront: Billing = { Id: 'upfront', Name: 'The whole term at once' };
const atOnce: Billing = { Id: 'once', Name: 'Once, with the order' };
const once: Term = { Id: 'once', Name: 'One-time purchase', Months: 1, Discount: 0 };

const field = (PropertyName: string, Label: string, more: Partial<OfferField> = {}): OfferField => ({
  PropertyName,
  Label,
  Kind: 'text',
  Mandatory: true,
  Regex: '',
  InvalidMessage: '',
  Options: [],
  PerCustomer: false,
  Prefill: '',
  ...more,
});
const domain = field('Domain', 'Domain', {
  PerCustomer: true,
  Prefill: 'Domain',
  Regex: '^[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,3}\\.[A-Za-z]{2,15}$',
  InvalidMessage: 'Must be a domain, for example contoso.com',
});
const contact = field('AdminEmail', 'Email address of the administrator', {
  PerCustomer: true,
  Prefill: 'ContactEmail',
  Kind: 'email',
  Regex: "^[A-Za-z0-9._'-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+){0,3}\\.[A-Za-z]{2,15}$",
  InvalidMessage: 'Must be a valid email address',
});
const region = field('Region', 'Region', { Kind: 'select', Options: ['UK South', 'UK West', 'West Europe'] });
const years = field('RetentionYears', 'Keep for (years)', { Kind: 'select', Options: ['1', '7', '10'] });
const hostName = field('HostName', 'Host name', {
  PerCustomer: true,
  Regex: '^[a-z][a-z0-9-]{0,14}$',
  InvalidMessage: 'Must be 1 to 15 small letters, digits and hyphens, beginning with a letter',
});
const budget = field('Budget', 'Monthly budget', {
  Kind: 'number',
  Mandatory: false,
  Regex: '^\\d{1,6}$',
  InvalidMessage: 'Must contain only digits',
});
const start = field('StartDate', 'Start on', { Kind: 'date', Mandatory: false });
const areaCode = field('AreaCode', 'Area code', {
  PerCustomer: true,
  Regex: '^0\\d{2,5}$',
  InvalidMessage: 'Must be an area code, for example 0113',
});
const adminAddress = field('AdminAddress', 'IPv4 address that may manage it', {
  Kind: 'ipv4',
  Mandatory: false,
});
const chatColour = field('ChatColour', 'Colour of the chat window', { Kind: 'hex-colour', Mandatory: false });
const sourceCustomer = field('SourceCustomer', 'Customer id of the account to move from', {
  Kind: 'customer-id',
  Mandatory: false,
});
const address = field('DeliveryAddress', 'Delivery address', { PerCustomer: true, Prefill: 'Address' });
const notices = field('SendWelcome', 'Send a welcome mail', { Kind: 'checkbox', Mandatory: false });

type Seeded = {
  readonly price: number;
  readonly offer: Offer;
  readonly activation: string | null;
  readonly deletion: string | null;
};
type More = Partial<Pick<Offer, 'Terms' | 'Fields' | 'Upgrades' | 'MaxQuantity'>> & {
  readonly activation?: string;
  readonly deletion?: string;
};

const committed = { Terms: [monthly, yearly, threeYears] };
const oneTime = { Terms: [once] };

function offer(price: number, Unit: string, Summary: string, more: More = {}): Seeded {
  const { activation = null, deletion = null, ...rest } = more;
  const Terms = rest.Terms ?? [monthly, yearly];
  return {
    price,
    activation,
    deletion,
    offer: {
      Summary,
      Description: `${Summary} It is set up within minutes of the order, billed by the ${Unit}, and can be cancelled free of charge for 7 days.`,
      Unit,
      MinQuantity: 1,
      MaxQuantity: 1000,
      Fields: [],
      Upgrades: [],
      Billing: Terms.includes(once)
        ? [atOnce]
        : Terms.some(({ Months }) => Months > 1)
          ? [eachMonth, upfront]
          : [eachMonth],
      ...rest,
      Terms,
    },
  };
}

/** By key, service id and sub id: price of a unit a month in pounds (once, for a one-time purchase), and the offer. */
export const offers: Readonly<Record<string, Seeded>> = {
  '1-1': offer(3.95, 'mailbox', 'Business mail with calendars and contacts, on every device.', {
    Fields: [domain, notices],
    Upgrades: ['8-1'],
    activation: 'The domain has no MX record that points to us.',
  }),
  '2-1': offer(2.75, 'user', 'Sites where teams share documents and work on them together.', { Fields: [domain] }),
  '3-1': offer(1.4, 'mailbox', 'Stops spam, viruses and fraud before they reach a mailbox.', {
    Fields: [domain],
    Upgrades: ['4-1'],
    activation: 'The inbound route of the domain did not answer.',
  }),
  '3-2': offer(5.5, 'device', 'Backup of computers and servers without a limit on storage.', { Fields: [contact] }),
  '4-1': offer(2.4, 'mailbox', 'Checks links and attachments at the moment somebody opens them.', { Fields: [domain] }),
  '5-1': offer(3.1, 'user', 'Sends messages that only their recipient can open.', { Fields: [domain] }),
  '6-1': offer(148, 'subscription', 'Computing, storage and networks, charged by what is used.', {
    Fields: [domain, region, budget],
    Upgrades: ['6-6'],
    MaxQuantity: 25,
  }),
  '6-6': offer(172, 'plan', 'The cloud platform by plan, with one invoice for all subscriptions.', {
    Fields: [domain, region, budget],
    MaxQuantity: 25,
  }),
  '7-1': offer(1.85, 'user', 'Keeps people away from web pages that are dangerous.', { Fields: [contact] }),
  '8-1': offer(9.4, 'licence', 'Mail, documents, meetings and the office applications.', {
    ...committed,
    Fields: [domain, contact],
    Upgrades: ['8-9'],
    activation: 'The tenant has not accepted the partner relationship.',
  }),
  '8-2': offer(8.2, 'licence', 'Reports and dashboards over all of a company’s data.', {
    ...committed,
    Fields: [domain],
  }),
  '8-3': offer(53.5, 'licence', 'Sales, service and marketing in one record of each customer.', {
    ...committed,
    Fields: [domain],
  }),
  '8-4': offer(6.6, 'licence', 'Manages phones and computers and what they may open.', {
    ...committed,
    Fields: [domain],
  }),
  '8-5': offer(8.7, 'licence', 'One identity for everything, protected on every device.', {
    ...committed,
    Fields: [domain],
  }),
  '8-6': offer(120, 'subscription', 'A cloud platform subscription within the office suite’s tenant.', {
    Fields: [domain, budget],
    MaxQuantity: 25,
  }),
  '8-9': offer(14.2, 'licence', 'The office suite with mail security, backup and monitoring.', {
    ...committed,
    Fields: [domain, contact],
  }),
  '8-10': offer(219, 'licence', 'The office applications for one computer, bought once.', {
    ...oneTime,
    Fields: [contact],
    MaxQuantity: 100,
  }),
  '9-1': offer(4.75, 'device', 'Backup of computers, servers and mailboxes to the cloud.', {
    Fields: [contact],
    Upgrades: ['3-2'],
    deletion: 'A restore is still running.',
  }),
  '10-1': offer(3.6, 'mailbox', 'Encrypts outgoing mail by rules that you set.', { Fields: [domain] }),
  '11-1': offer(0.5, 'programme', 'Rewards for recommending our services.', { MaxQuantity: 1 }),
  '12-1': offer(2.1, 'device', 'Protects computers from malware and ransomware.', { Fields: [contact] }),
  '13-1': offer(11.5, 'seat', 'A telephone system in the cloud, with numbers of your own.', {
    Fields: [areaCode, start],
    activation: 'The number port was refused.',
    deletion: 'A number is being ported away.',
  }),
  '14-1': offer(4.4, 'seat', 'Shows who calls, how long they wait and who answers.', { Fields: [contact] }),
  '15-1': offer(74, 'handset', 'Desk telephones, configured before they are delivered.', {
    ...oneTime,
    Fields: [address],
    MaxQuantity: 200,
  }),
  '16-1': offer(2.2, 'mailbox', 'Filters and routes mail for domains of any size.', { Fields: [domain] }),
  '17-1': offer(0.85, 'mailbox', 'The same signature under every mail, kept up to date in one place.', {
    Fields: [domain],
    activation: 'The connector could not be made.',
  }),
  '18-1': offer(3.2, 'user', 'Backup of the files that people keep in the cloud.', { Fields: [contact] }),
  '19-1': offer(34, 'agent', 'A contact centre for calls, chats and messages.', {
    Fields: [areaCode, chatColour],
  }),
  '21-1': offer(12, 'mailbox', 'Moves mailboxes from anywhere to here.', {
    ...oneTime,
    Fields: [domain, start, sourceCustomer],
  }),
  '22-1': offer(95, 'instance', 'Virtual machines at a lower price for a fixed time.', {
    Terms: [yearly, threeYears],
    Fields: [region],
    MaxQuantity: 50,
  }),
  '23-1': offer(2.6, 'mailbox', 'Keeps every mail for as long as the law wants.', {
    Fields: [domain, years],
    deletion: 'A legal hold is in place.',
  }),
  '26-1': offer(41, 'subscription', 'Licences of server software for a year or three.', {
    Terms: [yearly, threeYears],
    Fields: [domain],
    MaxQuantity: 100,
  }),
  '27-1': offer(1.95, 'mailbox', 'Recognises phishing that other filters let through.', { Fields: [domain] }),
  '30-1': offer(62.5, 'server', 'Virtual servers in our own data centres.', {
    Fields: [hostName, region, adminAddress],
    MaxQuantity: 50,
    activation: 'No address was free in the chosen network.',
  }),
  '31-1': offer(1.75, 'device', 'Managed protection of the computers of all your customers.', { Fields: [contact] }),
  '32-1': offer(1.6, 'user', 'Decides by category which web pages can be opened.', { Fields: [contact] }),
  '114-1': offer(130, 'commitment', 'A lower price for a steady spend on the cloud platform.', {
    Terms: [yearly, threeYears],
    MaxQuantity: 10,
  }),
};
