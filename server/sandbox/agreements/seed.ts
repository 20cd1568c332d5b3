import { sql } from 'kysely';
import type { PolicyPart } from '../policies/policy.ts';
import { numberSections } from '../policies/seed.ts';
import type { Write } from '../tables.ts';
import { resellerAgreement } from './read.ts';

type Agreement = {
  readonly id: number;
  readonly title: string;
  readonly services: readonly number[];
  readonly linked?: readonly number[];
  /** Day of publication of each version, the first one first. */
  readonly published: readonly string[];
  readonly parts: readonly PolicyPart[];
};

/** The agreement that a reseller signs before anything is sold. */
const reseller: Agreement = {
  id: 1,
  title: 'Reseller agreement',
  services: [],
  published: ['2024-01-15'],
  parts: [
    [
      'The parties',
      'This agreement is between Fernhill Cloud Ltd and the reseller. It applies to every service that the reseller orders for itself or for its customers.',
    ],
    [
      'Ordering and helping',
      'The reseller orders services in its own name, sets its own prices and is the first to help its customers. Fernhill Cloud provides the services and helps the reseller.',
    ],
    [
      'Billing',
      'Services are billed monthly, in advance for fixed charges and in arrears for usage. Invoices are due within 30 days.',
    ],
    [
      'Personal data',
      'Both sides keep personal data only for as long as a service needs it, and tell each other without delay of a breach.',
    ],
    [
      'Ending',
      'Either side may end this agreement with 90 days’ notice. Services that run on past that day are billed until they are deleted.',
    ],
  ],
};

function service(
  id: number,
  title: string,
  services: readonly number[],
  what: string,
  rules: readonly string[],
  more: Partial<Pick<Agreement, 'linked' | 'published'>> = {},
): Agreement {
  return {
    id,
    title,
    services,
    published: ['2024-02-01'],
    ...more,
    parts: [
      [
        'What this covers',
        `This agreement adds to the reseller agreement. It applies to ${what}, from the first order on.`,
        'Where the two say different things, this one is followed for these services.',
      ],
      ['What the reseller does', 'For each customer that the services are ordered for, the reseller:', rules],
      [
        'Orders and charges',
        'An order is binding when it has a number. It can be cancelled free of charge for 7 days; after that the chosen term is charged to its end.',
        { sub: 'Prices are those that the summary of an order shows.' },
      ],
      [
        'Availability and help',
        'The services are provided with an availability of 99.9 per cent in a month, measured without announced maintenance.',
        'Credits for a month in which this is missed are asked for within 30 days and are set off against the next invoice.',
      ],
      [
        'Data and security',
        'Customers’ content stays the customers’. It is processed only to provide the services, and within the region that an order names.',
        { sub: 'What is deleted is gone for good after 30 days.' },
      ],
      [
        'Changes and ending',
        'A new version is published 30 days before it applies, and has to be signed before the next order.',
      ],
    ],
  };
}

const accepted = 'makes sure that the customer has accepted the terms of use';
const named = 'names a person who answers for the customer’s tenant';
const agreements: readonly Agreement[] = [
  reseller,
  service(
    2,
    'Office suite agreement',
    [8],
    'the office suite and everything that is licensed in its tenant',
    [named, accepted, 'keeps the number of licences at that of the people who use them'],
    {
      linked: [3],
      published: ['2024-02-01', '2025-06-01'],
    },
  ),
  service(3, 'Customer terms of the office suite', [], 'the use of the office suite by customers', [
    accepted,
    'passes these terms on in writing',
  ]),
  service(4, 'Cloud platform agreement', [6], 'computing, storage and networks of the cloud platform', [
    'sets a budget and watches it',
    named,
    'pays for what is used, also by mistake',
  ]),
  service(5, 'Cloud plan agreement', [20], 'cloud platform plans and the subscriptions within them', [
    'orders reservations only with the customer’s consent',
    named,
  ]),
  service(
    6,
    'Mail services agreement',
    [1, 2, 3, 4, 5, 10, 16, 17, 21, 23, 27],
    'hosted mail and what protects, signs, moves and keeps it',
    ['proves that a domain is the customer’s', 'sends no unsolicited mail', accepted],
    {
      published: ['2024-02-01', '2025-03-01'],
    },
  ),
  service(7, 'Backup agreement', [9, 18], 'backup of computers, servers, mailboxes and files', [
    'tests a restore once a quarter',
    'keeps the encryption keys that it sets',
  ]),
  service(8, 'Voice agreement', [13, 14, 15, 19], 'telephony, handsets and contact centres', [
    'keeps the addresses of all sites up to date, for emergency calls',
    'ports numbers only with their holder’s consent',
  ]),
  service(9, 'Security agreement', [7, 12, 31, 32], 'protection of devices and of access to the web', [
    'removes the agent from devices that leave',
    accepted,
  ]),
  service(
    10,
    'Cloud server agreement',
    [22, 26, 30, 114],
    'virtual servers, reservations, subscriptions and savings plans',
    ['keeps operating systems up to date', 'holds a licence for all software that it installs'],
  ),
  service(11, 'Partner programme agreement', [11], 'the partner programme', [accepted]),
];

/** Inserts the agreements and their versions, and updates those that are there already. Runs at each start. */
export async function insertAgreements(trx: Write): Promise<void> {
  for (const { id, title, services, linked = [], published, parts } of agreements) {
    const row = { title, service_ids: [...services], linked_ids: [...linked] };
    await trx
      .insertInto('agreements')
      .values({ id, ...row })
      .onConflict(known => known.column('id').doUpdateSet(row))
      .execute();
    const sections = JSON.stringify(numberSections(parts));
    for (const [index, day] of published.entries()) {
      await trx
        .insertInto('agreement_versions')
        .values({ agreement_id: id, version: index + 1, published: new Date(`${day}T09:00:00Z`), sections })
        .onConflict(known => known.columns(['agreement_id', 'version']).doUpdateSet({ sections }))
        .execute();
    }
  }
}

/**
 * Inserts a reseller's signatures of all service agreements, and those of the reseller agreement by the accounts that
 * need not sign it first. The reseller of `unsigned@millbrook.test` has yet to sign those of the office suite and the
 * cloud.
 */
export async function insertSignatures(trx: Write, resellerId: number): Promise<void> {
  await sql`
    insert into agreement_signatures (agreement_id, version, reseller_id, account_id, signatory, signed)
    select v.agreement_id, v.version, a.reseller_id, a.id, a.display_name, v.published + interval '9 days'
    from agreement_versions v
    join (select * from accounts where user_type = 'reseller' and reseller_id = ${resellerId} order by id limit 1) a
      on a.username <> 'unsigned@millbrook.test' or v.agreement_id > 5
    where v.agreement_id <> ${resellerAgreement} and not exists (
      select from agreement_signatures s where s.reseller_id = ${resellerId} and s.agreement_id <> ${resellerAgreement})`.execute(
    trx,
  );
  await sql`
    insert into agreement_signatures (agreement_id, version, reseller_id, account_id, signatory, signed)
    select v.agreement_id, v.version, a.reseller_id, a.id, a.display_name, v.published + interval '9 days'
    from agreement_versions v
    join accounts a on a.user_type = 'reseller' and not a.must_sign and a.reseller_id = ${resellerId}
    where v.agreement_id = ${resellerAgreement}
    on conflict do nothing`.execute(trx);
}
