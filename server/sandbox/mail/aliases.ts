import { type RawBuilder, sql } from 'kysely';
import { readOwnDomains } from '../domains/own-domains.ts';
import { isOfDelayedDomain } from '../domains/resource.ts';
import { notFound } from '../http/errors.ts';
import { type refusalData, refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, date, integer, list, object, string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { isMailAddress, normaliseAddress } from './address-form.ts';
import { type AddressHolder, findAddressHolder } from './holders.ts';
import { summariseAddresses, tellOfMailbox, type Writing } from './mailbox.ts';

/** Aliases that a mailbox or group has at most. */
export const mostAliases = 20;

/** SQL for an address as people read it: its domain in the letters of its language, where DNS has others. */
const inLetters = (address: RawBuilder<unknown>, customer: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`coalesce((select split_part(${address}, '@', 1) || '@' || d.name from organisation_domains d
    where d.customer_id = ${customer} and d.ascii = lower(split_part(${address}, '@', 2)) and d.ascii <> d.name), ${address})`;

const alias = fields('a', [
  { name: 'Number', shape: integer, column: sql`row_number() over (order by lower(a.address) collate "C")` },
  { name: 'Alias', column: sql`a.address` },
  { name: 'Shown', column: inLetters(sql.ref('a.address'), sql.ref('a.customer_id')) },
  { name: 'CreatedDate', shape: date, column: sql`a.created` },
  { name: 'DelayedDomain', shape: boolean, column: isOfDelayedDomain(sql.ref('a.address')) },
]);
export const aliasFields = alias.schema;
export const aliasList = object({ Items: list(aliasFields), Total: integer, Most: integer });

/** Reads the aliases of a mailbox or group: its addresses but the primary one. */
export const readAliases = async (db: Database, { id, column }: Pick<AddressHolder, 'id' | 'column'>) =>
  await db
    .selectFrom('mail_addresses as a')
    .where(`a.${column}`, '=', id)
    .where('a.is_primary', '=', false)
    .select(alias.columns)
    .orderBy(sql`lower(a.address) collate "C"`)
    .execute();

/** The same with how many there may be. */
export async function listAliases(db: Database, holder: AddressHolder) {
  const Items = await readAliases(db, holder);
  return { Items, Total: Items.length, Most: mostAliases };
}

type Refusal = {
  readonly code: keyof typeof refusalData & `Alias${string}`;
  readonly data?: Readonly<Record<string, string>>;
};
type ValidatedAlias = { readonly address: string; readonly isDelayed: boolean; readonly refusal?: Refusal };

/** Finds whose an address is: the name of a person, group or contact of this customer, '' for anything of somebody else's. */
export async function findHolderName(db: Database, address: string, customerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ holder: string }>`
    select case when a.customer_id = ${customerId} then coalesce(u.display_name, nullif(m.name, ''), g.name, k.name, a.address) else '' end
      as holder
    from mail_addresses a left join mailboxes m on m.id = a.mailbox_id left join users u on u.id = m.user_id
      left join distribution_groups g on g.id = a.group_id left join mail_contacts k on k.id = a.contact_id
    where lower(a.address) = lower(${address}) and (a.contact_id is null or a.customer_id = ${customerId})
    order by a.customer_id = ${customerId} desc`.execute(db);
  return rows[0]?.holder;
}

/** Says whether an address of the customer's domains is free, or else the code of why not. */
export async function validateAddress(db: Database, customerId: string, given: string): Promise<ValidatedAlias> {
  const address = normaliseAddress(given.trim());
  const local = address.slice(0, address.lastIndexOf('@'));
  if (!isMailAddress(address)) return refused(address, 'AliasMalformed');
  const domains = await readOwnDomains(db, customerId);
  const domain = domains.get(address.slice(local.length + 1));
  const names = [...domains.values()].map(({ name }) => name);
  if (domain === undefined) return refused(address, 'AliasForeign', { Domains: summariseAddresses(names) });
  const holder = await findHolderName(db, address, customerId);
  if (holder === '') return refused(address, 'AliasElsewhere');
  if (holder !== undefined) return refused(address, 'AliasTaken', { By: holder });
  return { address, isDelayed: domain.state === 'Delayed' };
}

const refused = (address: string, code: Refusal['code'], data?: Refusal['data']): ValidatedAlias => ({
  ...{ address, isDelayed: false, refusal: { code, ...(data && { data }) } },
});

/** Says whether an address can become an alias of a mailbox or group, or else the code of why not. */
async function validateAlias(db: Database, holder: AddressHolder, given: string): Promise<ValidatedAlias> {
  const validated = await validateAddress(db, holder.customerId, given);
  if (validated.refusal) return validated;
  const { Total } = await listAliases(db, holder);
  return Total >= mostAliases ? refused(validated.address, 'AliasesFull', { Most: String(mostAliases) }) : validated;
}

export const aliasCheck = object({
  Code: string,
  Address: string,
  By: string,
  Domains: string,
  DelayedDomain: boolean,
});

/** The same for who is typing. */
export async function checkAlias(db: Database, holder: AddressHolder, given: string) {
  const { address: Address, isDelayed: DelayedDomain, refusal } = await validateAlias(db, holder, given);
  const { By = '', Domains = '' } = refusal?.data ?? {};
  return { Code: refusal?.code ?? 'Free', Address, By, Domains, DelayedDomain };
}

type Place = { readonly customerId: string; readonly mailbox: string };

/**
 * Gives a mailbox or group an alias.
 * @throws {CloudError} 404 as `findAddressHolder`; 400 for an address that is none, of another domain, or somebody's already
 */
export async function addAlias(writing: Writing, at: Place, given: string): Promise<void> {
  const { trx, caller, now } = writing;
  const holder = await findAddressHolder(trx, caller, at.customerId, at.mailbox);
  const { address, refusal } = await validateAlias(trx, holder, given);
  if (refusal) throw refuseField('Alias', refusal.code, (refusal.data ?? {}) as never);
  const row = { customer_id: holder.customerId, [holder.column]: holder.id, address, created: now };
  const added = await trx
    .insertInto('mail_addresses')
    .values(row)
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  // Somebody of another organisation was quicker.
  if (!added) throw refuseField('Alias', 'AliasElsewhere');
  await tellOfMailbox(writing, holder, { action: 'Alias added', after: address });
}

async function findAlias({ trx }: Writing, holder: AddressHolder, address: string) {
  return await trx
    .selectFrom('mail_addresses')
    .select(['id', 'address', 'is_primary', isOfDelayedDomain(sql.ref('address')).as('isDelayed')])
    .where(holder.column, '=', holder.id)
    .where(sql`lower(address)`, '=', address.toLowerCase())
    .executeTakeFirstOrThrow(notFound);
}

/**
 * Takes an alias from a mailbox or group; the primary address stays.
 * @throws {CloudError} 404 as `findAddressHolder` and without such an alias; 409 for the primary address
 */
export async function deleteAlias(writing: Writing, at: Place, address: string): Promise<void> {
  const { trx, caller } = writing;
  const holder = await findAddressHolder(trx, caller, at.customerId, at.mailbox);
  const row = await findAlias(writing, holder, address);
  if (row.is_primary) throw refuseConflict('AliasPrimary');
  await trx.deleteFrom('mail_addresses').where('id', '=', row.id).execute();
  await tellOfMailbox(writing, holder, { action: 'Alias deleted', before: row.address });
}

/**
 * Makes an alias the primary address of a mailbox or group; the one before becomes an alias.
 * @throws {CloudError} 404 as `deleteAlias`; 409 for the primary address and for one of a domain that is not active yet
 */
export async function makePrimary(writing: Writing, at: Place, address: string): Promise<void> {
  const { trx, caller } = writing;
  const holder = await findAddressHolder(trx, caller, at.customerId, at.mailbox);
  const row = await findAlias(writing, holder, address);
  if (row.is_primary) throw refuseConflict('AliasPrimary');
  if (row.isDelayed) throw refuseConflict('AliasDelayed');
  const those = trx.updateTable('mail_addresses').where(holder.column, '=', holder.id);
  await those.set({ is_primary: false }).where('is_primary', '=', true).execute();
  await trx.updateTable('mail_addresses').set({ is_primary: true }).where('id', '=', row.id).execute();
  const told = { action: 'Primary address changed', before: holder.address, after: row.address };
  await tellOfMailbox(writing, { ...holder, address: row.address }, told);
}
