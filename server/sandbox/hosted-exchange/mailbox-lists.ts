import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { isOfDelayedDomain } from '../domains/resource.ts';
import { boolean, date, id, integer, list, object, orNull, pageQuery, search, string } from '../http/schema.ts';
import { primaryOf } from '../mail/addresses.ts';
import { fields, type RowOf } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';

const kinds = ['user', 'shared', 'room'] as const;

/** What the address book says of a mailbox; until somebody edits it, what is known of its user. */
const fromBook = (name: string, otherwise: string) =>
  sql`coalesce(m.address_book ->> ${sql.lit(name)}, ${sql.ref(otherwise)}, '')`;

const mailbox = fields('m', [
  { name: 'Address', column: sql`a.address` },
  { name: 'Name', column: sql`coalesce(u.display_name, nullif(m.name, ''), a.address)` },
  { name: 'UserId', shape: orNull(id) },
  { name: 'Kind', shape: { ...string, enum: kinds } },
  { name: 'UsedMb', shape: integer },
  { name: 'QuotaMb', shape: integer },
  {
    name: 'Aliases',
    shape: integer,
    column: sql`(select count(*) - 1 from mail_addresses o where o.mailbox_id = m.id)`,
  },
  {
    name: 'Permissions',
    shape: integer,
    column: sql`(select count(*) from mailbox_permissions o where o.mailbox_id = m.id)`,
  },
  { name: 'Title', column: fromBook('Title', 'u.job_title') },
  { name: 'Department', column: sql`coalesce(m.address_book ->> 'Department', '')` },
  { name: 'Phone', column: fromBook('Phone', 'u.phone') },
  { name: 'Created', shape: date },
]);

export const mailboxQuery = pageQuery({ search, kind: { enum: kinds } });
export const mailboxPage = object({ Items: list(mailbox.schema), Total: integer });

type MailboxQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly kind?: (typeof kinds)[number];
};

/**
 * Lists a page of a customer's mailboxes by address.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function listMailboxes(db: Database, caller: Caller, key: string, query: MailboxQuery) {
  const customerId = await customerIdOf(db, caller, key);
  return await listPage(db, query, {
    fields: mailbox,
    from: sql`mail_addresses a join mailboxes m on m.id = a.mailbox_id left join users u on u.id = m.user_id`,
    where: sql`a.customer_id = ${customerId} and a.is_primary`,
    filters: {
      search: words =>
        sql`${searchKeyOf(sql`a.address || ' ' || coalesce(u.display_name, m.name)`)} like ${containing(words)}`,
      kind: kind => sql`m.kind = ${kind}`,
    },
    order: sql`lower(a.address) collate "C"`,
    key: sql<number>`a.id`,
  });
}

const alias = fields('a', [
  { name: 'Alias', column: sql`a.address` },
  { name: 'Mailbox', column: primaryOf(sql`a.mailbox_id`) },
  { name: 'CreatedDate', shape: date, column: sql`a.created` },
  { name: 'DelayedDomain', shape: boolean, column: isOfDelayedDomain(sql.ref('a.address')) },
]);

export const aliasQuery = pageQuery({ search });
export const aliasPage = object({ Items: list(alias.schema), Total: integer });

/**
 * Lists a page of the aliases of all of a customer's mailboxes.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function listOrganisationAliases(
  db: Database,
  caller: Caller,
  key: string,
  query: Omit<MailboxQuery, 'kind'>,
): Promise<{ readonly Items: readonly RowOf<typeof alias>[]; readonly Total: number }> {
  const customerId = await customerIdOf(db, caller, key);
  return await listPage(db, query, {
    fields: alias,
    from: sql`mail_addresses a`,
    where: sql`a.customer_id = ${customerId} and a.mailbox_id is not null and not a.is_primary`,
    filters: {
      search: words =>
        sql`${searchKeyOf(sql`a.address || ' ' || ${primaryOf(sql`a.mailbox_id`)}`)} like ${containing(words)}`,
    },
    order: sql`lower(a.address) collate "C"`,
    key: sql<number>`a.id`,
  });
}
