import type { Caller } from '../auth/caller.ts';
import { conflict, invalid, notPermitted } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { domain, email, filled, object, partial, phone, text } from '../http/schema.ts';
import { inWords } from '../services/endings.ts';
import type { Database, Write } from '../tables.ts';
import { differences, isSame, recordActivity, type State } from './activity.ts';
import { normaliseName, validateCustomerName } from './name.ts';
import { refreshCustomer } from './refresh.ts';
import { customerIdOf } from './scope.ts';

/** A phone number may be left out. */
export const newCustomer = partial(
  {
    // Validated by validateCustomerName, which has its own words for each fault.
    Name: { type: 'string' },
    Domain: domain,
    ContactName: filled(100),
    ContactEmail: email,
    Phone: phone,
  },
  'Name',
  'Domain',
  'ContactName',
  'ContactEmail',
);
export type NewCustomer = TypeOf<typeof newCustomer>;
/** A postal address as it is written. */
export const addressFields = {
  Address1: text(100),
  Address2: text(100),
  TownCity: text(100),
  County: text(100),
  PostCode: text(12),
} as const;
export const contactBody = object({
  ContactName: filled(100),
  ContactEmail: email,
  Phone: phone,
  ...addressFields,
});
export type Contact = TypeOf<typeof contactBody>;

/**
 * Adds a customer to the caller's reseller and records the activity. Gives the id of the customer and the id of its
 * organisation.
 * @throws {CloudError} 403 for a caller of a customer, 400 for an invalid name; a name that is taken violates a
 * constraint of the table (409)
 */
export async function createCustomer(trx: Write, caller: Caller, body: NewCustomer, now: Date) {
  if (caller.customerId !== null) throw notPermitted();
  const name = acceptName('Name', body.Name);
  const { id, organisation_id } = await trx
    .insertInto('customers')
    .values({
      reseller_id: caller.resellerId,
      name,
      domain: body.Domain.toLowerCase(),
      contact_name: body.ContactName.trim(),
      contact_email: body.ContactEmail,
      phone: body.Phone ?? '',
      account_manager: caller.displayName,
      created: now,
      last_change: now,
    })
    .returning(['id', 'organisation_id'])
    .executeTakeFirstOrThrow();
  const told = differences({}, { Domain: body.Domain.toLowerCase(), ...(await readContact(trx, id)) });
  await recordActivity(trx, id, caller, now, { action: 'Customer created', target: name, ...told });
  return { organisationId: String(organisation_id), customerId: id };
}

/**
 * Renames a customer and records the activity; does nothing when the name is the same.
 * @throws {CloudError} 404 when the caller does not see it, 400 for an invalid name; 409 for one that is taken, by the
 * table's constraint
 */
export async function renameCustomer(db: Database, caller: Caller, key: string, newName: string, now: Date) {
  const name = acceptName('NewName', newName);
  await db.transaction().execute(async trx => {
    const id = await customerIdOf(trx, caller, key);
    const before = await trx.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirstOrThrow();
    if (before.name === name) return;
    await trx.updateTable('customers').set({ name, last_change: now }).where('id', '=', id).execute();
    const detail = `Was ${before.name}`;
    await recordActivity(trx, id, caller, now, {
      action: 'Customer renamed',
      target: name,
      detail,
      before: before.name,
      after: name,
    });
  });
}

/**
 * Changes the given contact details of a customer and records the activity.
 * @param more what else changed with them, before and after
 */
export async function changeContact(
  trx: Write,
  caller: Caller,
  id: string,
  contact: Partial<Contact>,
  now: Date,
  more: { readonly before: State; readonly after: State } = { before: {}, after: {} },
) {
  const before = await readContact(trx, id);
  const { name } = await trx
    .updateTable('customers')
    .set(({ eb }) => ({
      contact_name: contact.ContactName?.trim(),
      contact_email: contact.ContactEmail,
      phone: contact.Phone,
      address1: contact.Address1,
      address2: contact.Address2,
      town_city: contact.TownCity,
      county: contact.County,
      post_code: contact.PostCode,
      version: eb('version', '+', 1),
      last_change: now,
    }))
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow();
  const after = await readContact(trx, id);
  const told = differences({ ...before, ...more.before }, { ...after, ...more.after });
  if (!isSame(told))
    await recordActivity(trx, id, caller, now, { action: 'Contact details changed', target: name, ...told });
}

async function readContact(trx: Write, id: string): Promise<State> {
  return await trx
    .selectFrom('customers')
    .select(['contact_name as Contact name', 'contact_email as Contact email', 'phone as Phone'])
    .select(['address1 as Address 1', 'address2 as Address 2', 'town_city as Town or city'])
    .select(['county as County', 'post_code as Post code'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/**
 * Suspends a customer, whatever the status of its services, or lifts the suspension; records the activity.
 * @throws {CloudError} 404 when the caller does not see it, 409 when it is in that state already
 */
export async function setSuspended(trx: Write, caller: Caller, key: string, suspended: boolean, now: Date) {
  const id = await customerIdOf(trx, caller, key);
  const readStatus = () =>
    trx.selectFrom('customers').select(['name', 'status']).where('id', '=', id).executeTakeFirstOrThrow();
  const { name, status: before } = await readStatus();
  const { numUpdatedRows } = await trx
    .updateTable('customers')
    .set({ suspended })
    .where('id', '=', id)
    .where('suspended', '=', !suspended)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw conflict(suspended ? 'This customer is suspended already.' : 'This customer is not suspended.');
  await refreshCustomer(trx, id, now);
  const { status: after } = await readStatus();
  const action = suspended ? 'Customer suspended' : 'Customer reactivated';
  const event = { action, target: name, before: inWords(before), after: inWords(after) } as const;
  await recordActivity(trx, id, caller, now, event);
}

function acceptName(field: string, written: string): string {
  const name = normaliseName(written);
  const fault = validateCustomerName(name);
  if (fault !== undefined) throw invalid({ [field]: [fault] });
  return name;
}
