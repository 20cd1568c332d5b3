import type { State } from '../customers/activity.ts';
import type { Database, Write } from '../tables.ts';
import type { Popup, Value } from './popup-definitions.ts';

/** The columns of a customer that the contact details are about; the rest of a popup's values are its own. */
const contactColumns = {
  CustomerName: 'name',
  ContactName: 'contact_name',
  ContactEmail: 'contact_email',
  Phone: 'phone',
} as const;

export type PopupData = Record<string, Value> & { OrganisationId: string; RecordVersion: number };

/**
 * Reads a customer's values of a generic popup (a form that the cloud defines at run time): saved ones, else the
 * initial ones; for `contact-details` the customer's own data. Adds OrganisationId and RecordVersion, which the submit
 * sends back.
 */
export async function readPopup(db: Database, id: string, popup: Popup, customerId: string): Promise<PopupData> {
  const customer = await db
    .selectFrom('customers')
    .select(['organisation_id', 'version', 'name', 'contact_name', 'contact_email', 'phone'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  const record = await db
    .selectFrom('popup_records')
    .select(['version', 'values'])
    .where('customer_id', '=', customerId)
    .where('popup_id', '=', id)
    .executeTakeFirst();
  const isContact = id === 'contact-details';
  const columns = Object.entries(contactColumns).map(([name, column]) => [name, customer[column]]);
  return {
    ...(record?.values ?? popup.initial),
    ...(isContact && Object.fromEntries(columns)),
    OrganisationId: String(customer.organisation_id),
    RecordVersion: isContact ? customer.version : (record?.version ?? 1),
  };
}

/**
 * Saves a customer's values of a generic popup (a form that the cloud defines at run time), with the version raised by
 * one. Values that are not in `changed` stay as in `before`. The caller has compared the versions.
 */
export async function savePopupValues(
  trx: Write,
  id: string,
  popup: Popup,
  customerId: string,
  before: PopupData,
  changed: Readonly<Record<string, Value>>,
): Promise<void> {
  const own = Object.keys(popup.initial).map(name => [name, changed[name] ?? before[name]]);
  const row = { values: JSON.stringify(Object.fromEntries(own)), version: before.RecordVersion + 1 };
  await trx
    .insertInto('popup_records')
    .values({ customer_id: customerId, popup_id: id, ...row })
    .onConflict(existing => existing.columns(['customer_id', 'popup_id']).doUpdateSet(row))
    .execute();
}

/**
 * Writes the values of a generic popup as text by label, for a customer's activity: Yes or No for a tick, None for no
 * value, no HTML.
 */
export function describePopupValues({ items, initial }: Popup, values: Readonly<Record<string, Value>>): State {
  const words = (value: Value | undefined) =>
    typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value ?? '').replace(/<[^>]*>/g, '');
  return Object.fromEntries(
    Object.keys(initial).map(name => [
      items.find(({ DataItem }) => DataItem === name)?.Label ?? name,
      words(values[name]) || 'None',
    ]),
  );
}
