import { sql } from 'kysely';
import { allStaff, firstNames, lastNames } from '../seed/names.ts';
import type { Write } from '../tables.ts';

/** Customers with something to try: very many mailboxes, and none of the distribution groups that others have. */
const manyMailboxes = { customer: 'Sandpiper Holidays', count: 5000 };
const withoutGroups = 'Kirkgate Joinery';
/** Groups that can hold permissions, where a customer has them. */
const securityGroups = ['Directors', 'Finance'];

/**
 * Inserts thousands of seeded users with a mailbox and no account, made inside the database: 40 × 40 × 26 different
 * names.
 */
export async function insertManyMailboxes(trx: Write): Promise<void> {
  const { customer, count } = manyMailboxes;
  await sql`
    with names as (
      select n, (${firstNames}::text[])[1 + n % 40] as first, (${lastNames}::text[])[1 + n / 40 % 40] as last,
        chr(97 + n / 1600) as middle
      from generate_series(0, ${count}::int - 1) n
    ), inserted as (
      insert into users (customer_id, first_name, last_name, display_name, email, type, created)
      select c.id, first, last, first || ' ' || upper(middle) || '. ' || last, address, 'endUser', c.created
      from names, customers c,
        lateral (select lower(first || '.' || middle || '.' || last) || '@' || c.domain as address) a
      where c.name = ${customer}
      order by n
      on conflict do nothing
      returning id, customer_id, email, created
    ), boxes as (
      insert into mailboxes (customer_id, user_id, quota_mb, used_mb, created)
      select customer_id, id, 25600, row_number() over (order by id) - 1, created from inserted
      returning id, user_id
    ), addressed as (
      insert into mail_addresses (customer_id, mailbox_id, address, is_primary, created)
      select i.customer_id, b.id, i.email, true, i.created from boxes b join inserted i on i.id = b.user_id
      on conflict do nothing
    ), joined as (
      insert into group_members (group_id, user_id)
      select g.id, i.id from inserted i join distribution_groups g on g.customer_id = i.customer_id and g.name = ${allStaff}
    )
    update customers set users = users + (select count(*) from inserted) where name = ${customer}`.execute(trx);
}

/** Inserts seeded distribution groups, with the users that are in them by name. */
export async function insertGroups(
  trx: Write,
  members: readonly { readonly user_id: number; readonly name: string }[],
): Promise<void> {
  const named = sql`unnest(${members.map(one => one.user_id)}::bigint[], ${members.map(one => one.name)}::text[])
    as named (user_id, name) join users u on u.id = named.user_id join customers c on c.id = u.customer_id`;
  await sql`
    with made as (
      insert into distribution_groups (customer_id, name, is_security, created)
      select customer_id, name, name = any(${securityGroups}), created from (
        select distinct c.id as customer_id, c.organisation_id, named.name, c.created from ${named}
        where c.name <> ${withoutGroups}) given
      order by organisation_id, name
      returning id, customer_id, name, created
    )
    insert into mail_addresses (customer_id, group_id, address, is_primary, created)
    select c.id, g.id, lower(replace(g.name, ' ', '-')) || '@' || c.domain, true, g.created
    from made g join customers c on c.id = g.customer_id
    order by g.id`.execute(trx);
  await sql`
    insert into group_members (group_id, user_id)
    select g.id, named.user_id from ${named} join distribution_groups g on g.customer_id = c.id and g.name = named.name
    order by 1, 2`.execute(trx);
}

/** Inserts some seeded permissions, and two weeks of mail for Contoso. */
export async function insertMail(trx: Write, now: Date): Promise<void> {
  if (await trx.selectFrom('mailbox_permissions').select('mailbox_id').limit(1).executeTakeFirst()) return;
  // Of every mailbox its next but two may do everything, and the one after that may send; of every fifth the first may
  // send too, and the one behind both on behalf of it.
  await sql`
    with placed as (
      select id, user_id, customer_id, row_number() over (partition by customer_id order by user_id) as n
      from mailboxes where user_id is not null
    )
    insert into mailbox_permissions (mailbox_id, user_id, kind)
    select m.id, u.user_id, k.kind
    from placed m
      join (values (3, 'FullAccess', 1), (4, 'SendAs', 1), (3, 'SendAs', 5), (5, 'SendOnBehalf', 5)) k (step, kind, every)
        on m.n % k.every = 0
      join placed u on u.customer_id = m.customer_id and u.n - m.n = k.step
    where m.n <= 100`.execute(trx);
  // The directors open what the first person of a customer gets.
  await sql`
    insert into mailbox_permissions (mailbox_id, group_id, kind)
    select min(m.id), g.id, 'FullAccess' from distribution_groups g join mailboxes m on m.customer_id = g.customer_id
    where g.name = 'Directors' group by g.id`.execute(trx);
  // The sixth person of each customer forwards to the seventh; at one customer nothing may leave.
  await sql`
    with placed as (
      select m.id, m.customer_id, a.address, m.created, row_number() over (partition by m.customer_id order by user_id) as n
      from mailboxes m join mail_addresses a on a.mailbox_id = m.id and a.is_primary where user_id is not null
    )
    insert into mail_forwards (customer_id, mailbox_id, address, created)
    select f.customer_id, f.id, t.address, t.created
    from placed f join placed t on t.customer_id = f.customer_id and f.n = 6 and t.n = 7`.execute(trx);
  await sql`
    insert into mail_security (customer_id, forwards_outside)
    select id, false from customers where name = ${withoutGroups}`.execute(trx);
  await sql`
    insert into recoverable_mails (user_id, received, sender, subject)
    select u.id, ${now}::timestamptz - n * interval '5 hours' - (u.id * 37 % 300) * interval '1 minute',
      (array['orders@parcel-updates.test', 'rita.moss@brightwater.test', 'news@harbourside-events.test'])[1 + n % 3],
      (array['Delivery on Tuesday', 'Notes of our meeting', 'Stand plan', 'Quotation'])[1 + (n + u.id) % 4]
    from users u join customers c on c.id = u.customer_id, generate_series(0, 64) n
    where c.name = 'Contoso' and exists (select from mailboxes where user_id = u.id)`.execute(trx);
}

/** Mail-enabled contacts of Contoso, the first of them in a group. */
const seededContacts = [
  {
    name: 'Rita Moss (Brightwater)',
    address: 'rita.moss@brightwater.test',
    company: 'Brightwater',
    phone: '01134960311',
  },
  { name: 'Harbourside Events', address: 'bookings@harbourside-events.test', company: 'Harbourside Events', phone: '' },
  { name: 'Owen Pike, accountant', address: 'owen.pike@pike-partners.test', company: 'Pike & Partners', phone: '' },
] as const;

/** Inserts seeded mail-enabled contacts. */
export async function insertContacts(trx: Write, now: Date): Promise<void> {
  const given = seededContacts.map(({ name, address, company, phone }) => [name, address, company, phone]);
  const column = (index: number) => sql`${given.map(row => row[index])}::text[]`;
  await sql`
    with given as (
      select c.id as customer_id, r.* from customers c,
        unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)}) with ordinality
          r (name, address, company, phone, number)
      where c.name = 'Contoso' and not exists (select from mail_addresses a
        where a.customer_id = c.id and lower(a.address) = r.address)
    ), made as (
      insert into mail_contacts (customer_id, name, company, phone, created)
      select customer_id, name, company, phone, ${now}::timestamptz - number * interval '40 days' from given order by number
      returning id, customer_id, name, created
    )
    insert into mail_addresses (customer_id, contact_id, address, is_primary, created)
    select m.customer_id, m.id, g.address, true, m.created from made m join given g on g.name = m.name
    order by m.id`.execute(trx);
  await sql`
    insert into group_members (group_id, contact_id)
    select g.id, k.id from mail_contacts k join distribution_groups g on g.customer_id = k.customer_id
    where k.name = ${seededContacts[0].name} and g.name = 'Sales' on conflict do nothing`.execute(trx);
}
