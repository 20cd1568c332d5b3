import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { refuseConflict } from '../http/refusals.ts';
import { holdReseller } from '../roles/change.ts';
import type { Database, Write } from '../tables.ts';
import type { CompanyFacts } from './tables.ts';

/** A company about which nothing has been said. */
const unknown = {
  ...{ trading_name: '', company_number: '', tax_number: '', website: '', email: '', phone: '' },
  ...{ address1: '', address2: '', town_city: '', county: '', post_code: '', size: '', about: '' },
  ...{ areas: [], products: [], version: 0, changed_by: '' },
} as const satisfies CompanyFacts & { readonly version: number; readonly changed_by: string };

/** The first day on which a company says something. */
export const firstDay = '2000-01-01';

/** Whose company it is: that of a customer, or (null) of the reseller itself. */
type Owner = Pick<Caller, 'resellerId' | 'customerId'>;

const rowsOf = (db: Database, { resellerId, customerId }: Owner) =>
  db
    .selectFrom('companies')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where(sql<SqlBool>`customer_id is not distinct from ${customerId}::uuid`)
    .orderBy('since', 'desc');

/** Reads what a company says about itself now; `unknown` where it has said nothing yet. */
export async function readCompany(db: Database, owner: Owner) {
  return (await rowsOf(db, owner).limit(1).executeTakeFirst()) ?? unknown;
}

/**
 * Reads the address and the tax number of a reseller as they were on a day, YYYY-MM-DD, for a document of that day.
 * Both are empty where it had none.
 */
export async function addressOn(db: Database, resellerId: number, day: string) {
  const rows = rowsOf(db, { resellerId, customerId: null });
  const found = (await rows.where(sql<SqlBool>`since <= ${day}::date`).limit(1).executeTakeFirst()) ?? unknown;
  const { address1, address2, town_city, county, post_code } = found;
  const parts = [address1, address2, `${town_city} ${post_code}`.trim(), county];
  return { Address: parts.filter(part => part !== '').join(', '), TaxNumber: found.tax_number };
}

const inWords = (company: CompanyFacts) => ({
  'Trading name': company.trading_name,
  'Company number': company.company_number,
  'VAT number': company.tax_number,
  Website: company.website,
  Email: company.email,
  Phone: company.phone,
  Address: [company.address1, company.address2, company.town_city, company.county, company.post_code]
    .filter(part => part !== '')
    .join(', '),
  People: company.size,
  About: company.about,
  Areas: company.areas.join(', '),
  Products: company.products.join(', '),
});

/** Changes a row unless a document was issued since it began, which would say something else then. True: it was changed. */
async function changeInPlace(trx: Write, id: number, row: Partial<CompanyFacts>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('companies')
    .set(row)
    .where('id', '=', id)
    .where(
      sql<SqlBool>`(customer_id is not null or not exists (
        select from invoices i where i.reseller_id = companies.reseller_id and i.issued >= companies.since))`,
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Saves what changes about the company of a caller, and records it. What was said before stays with the documents that
 * were issued since.
 * @param version what it was read as; absent: whatever it is now
 * @param change gives what changes of it as it is now
 * @throws {CloudError} 409 where somebody has changed it since `version` was read
 */
export async function saveCompany(
  trx: Write,
  caller: Caller,
  { version, now }: { readonly version?: number; readonly now: Date },
  change: (before: CompanyFacts) => Partial<CompanyFacts>,
): Promise<void> {
  const { resellerId, customerId, displayName } = caller;
  await holdReseller(trx, resellerId);
  const before = await readCompany(trx, caller);
  if (version !== undefined && before.version !== version)
    throw refuseConflict('CompanyChanged', { By: before.changed_by });
  const changes = change(before);
  const after: CompanyFacts = { ...before, ...changes };
  const told = differences(inWords(before), inWords(after));
  if (isSame(told)) return;
  const row = { ...changes, changed_by: displayName, version: before.version + 1 };
  if (!('id' in before)) {
    const owner = { since: firstDay, reseller_id: resellerId, customer_id: customerId };
    await trx
      .insertInto('companies')
      .values({ ...row, ...owner })
      .execute();
  } else if (!(await changeInPlace(trx, before.id, row))) {
    const { id: _, ...kept } = before;
    const since = sql<string>`(select max(issued) + 1 from invoices where reseller_id = ${resellerId})`;
    await trx
      .insertInto('companies')
      .values({ ...kept, ...row, since })
      .execute();
  }
  const about = customerId ?? { resellerId };
  const views = customerId === null ? (['myBusiness'] as const) : [];
  await recordActivity(trx, about, caller, now, { action: 'Company info changed', target: 'Company', ...told, views });
}
