import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { sendHintToAccounts } from '../notifications/hints.ts';
import type { Database, Write } from '../tables.ts';
import { brandOf, draftOf, savedBrand } from './brand.ts';
import type { BrandRow } from './tables.ts';

/** Milliseconds that a brand is tried; each change begins them anew. */
const trial = 60 * 60_000;

/** Has the portal read anew what the caller sees; or, once it is saved, all people of the reseller. */
export async function tellLook(trx: Write, { accountId, resellerId }: Caller, toAll: boolean): Promise<void> {
  const people = trx
    .selectFrom('accounts')
    .select('id')
    .where('reseller_id', '=', resellerId)
    .where('customer_id', 'is', null);
  const ids = toAll ? (await people.execute()).map(({ id }) => id) : [accountId];
  await sendHintToAccounts(trx, ids, { kind: 'permissions-changed' });
}

/** Reads the brand that a caller works on: what it tries, else what its reseller has saved. */
export async function workedOn(db: Database, caller: Caller, now: Date): Promise<BrandRow> {
  return brandOf((await draftOf(db, caller.accountId, now)) ?? (await savedBrand(db, caller.resellerId)));
}

/** Stores what a caller tries: it sees that on every page, and nobody else does. */
export async function keepDraft(trx: Write, caller: Caller, brand: BrandRow, now: Date): Promise<void> {
  const row = { ...brand, until: new Date(now.getTime() + trial) };
  const base_version = (await savedBrand(trx, caller.resellerId))?.version ?? 0;
  await trx.deleteFrom('brand_drafts').where('account_id', '=', caller.accountId).where('until', '<=', now).execute();
  await trx
    .insertInto('brand_drafts')
    .values({ account_id: caller.accountId, ...row, base_version })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .execute();
  await tellLook(trx, caller, false);
}

/** Ends what a caller tries. */
export const dropDraft = (trx: Write, { accountId }: Caller) =>
  trx.deleteFrom('brand_drafts').where('account_id', '=', accountId).execute();

const inWords = (brand: BrandRow) => ({
  Theme: brand.theme,
  Accent: `#${brand.accent}`,
  Logo: brand.desktop_logo?.slice(0, 8) ?? 'None',
  'Logo on phones': brand.mobile_logo?.slice(0, 8) ?? 'None',
  'Privacy policy': brand.privacy_url || 'None',
  Footer: brand.footer || 'None',
});

/** Saves the brand of a reseller in place of `version`, with the one before for undoing it, and records it. */
export async function saveBrand(
  trx: Write,
  caller: Caller,
  brand: BrandRow,
  { now, action, keepsBefore = true }: { now: Date; action: string; keepsBefore?: boolean },
): Promise<void> {
  const { resellerId, displayName } = caller;
  const saved = await savedBrand(trx, resellerId);
  const before = brandOf(saved);
  const told = differences(inWords(before), inWords(brand));
  if (isSame(told)) return;
  const row = {
    ...brand,
    changed: now,
    changed_by: displayName,
    before: keepsBefore ? JSON.stringify(before) : null,
  };
  await trx
    .insertInto('brands')
    .values({ reseller_id: resellerId, version: 1, ...row })
    .onConflict(conflict =>
      conflict.column('reseller_id').doUpdateSet({ ...row, version: sql<number>`brands.version + 1` }),
    )
    .execute();
  await recordActivity(trx, { resellerId }, caller, now, { action, target: 'Brand', ...told, views: ['settings'] });
}

/** Deletes trials that are over, and logos that no brand and no trial has any more: so no account fills the database. */
export async function forgetLogos(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('brand_drafts').where('until', '<=', now).execute();
  await sql`
    delete from brand_logos l where not exists (select from brands b where l.id in (b.desktop_logo, b.mobile_logo,
        b.before ->> 'desktop_logo', b.before ->> 'mobile_logo'))
      and not exists (select from brand_drafts d where l.id in (d.desktop_logo, d.mobile_logo))`.execute(db);
}
