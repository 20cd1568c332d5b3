import { defaultAccent } from '../../../shared/rules/accent.ts';
import type { Caller } from '../auth/caller.ts';
import { boolean, integer, object, string } from '../http/schema.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';
import type { BrandRow } from './tables.ts';

/** Document 2, section 3: the values of `Color_1_1`. */
export const themes = ['dark', 'light', 'default'] as const;

/** The portal's own look, for people whose reseller has no brand. */
export const defaultBrand: BrandRow = {
  theme: 'default',
  accent: defaultAccent,
  desktop_logo: null,
  mobile_logo: null,
  privacy_url: '',
  footer: '',
};

export const brandColumns = ['theme', 'accent', 'desktop_logo', 'mobile_logo', 'privacy_url', 'footer'] as const;

/** True for a brand that differs from the portal's own. */
export const isCustom = (brand: BrandRow): boolean => brandColumns.some(name => brand[name] !== defaultBrand[name]);

const logo = object({ Id: string, IsSvg: boolean, Width: integer, Height: integer });
/** Shapes of a brand as the portal is told it (document 2, section 3: whitelabel). */
export const brandShapes = {
  WhiteLabelId: string,
  Name: string,
  MarketplaceWhitelabel: object({ Color_1_1: { ...string, enum: themes }, Color_2_1: string }),
  DesktopLogo: { ...logo, nullable: true },
  MobileLogo: { ...logo, nullable: true },
  PrivacyPolicyUrl: string,
  Footer: string,
  IsCustom: boolean,
} as const;

async function readLogo(db: Database, id: string | null) {
  if (id === null) return null;
  const { type, width, height } = await db
    .selectFrom('brand_logos')
    .select(['type', 'width', 'height'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { Id: id, IsSvg: type === 'image/svg+xml', Width: width, Height: height };
}

/** Tells a brand of a reseller as the portal takes it. */
export async function tellBrand(
  db: Database,
  reseller: { readonly id: number; readonly name: string },
  brand: BrandRow,
) {
  return {
    WhiteLabelId: String(reseller.id),
    Name: reseller.name,
    MarketplaceWhitelabel: { Color_1_1: brand.theme, Color_2_1: brand.accent },
    DesktopLogo: await readLogo(db, brand.desktop_logo),
    MobileLogo: await readLogo(db, brand.mobile_logo),
    PrivacyPolicyUrl: brand.privacy_url,
    Footer: brand.footer,
    IsCustom: isCustom(brand),
  };
}

/** Reads the saved brand of a reseller; undefined where it has never saved one. */
export const savedBrand = (db: Database, resellerId: number) =>
  db.selectFrom('brands').selectAll().where('reseller_id', '=', resellerId).executeTakeFirst();

/** Reads the brand that an account is trying; undefined where it tries none, or has not for a while. */
export const draftOf = (db: Database, accountId: number, now: Date) =>
  db
    .selectFrom('brand_drafts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('until', '>', now)
    .executeTakeFirst();

/** Gives the columns of a brand alone. */
export const brandOf = (row: BrandRow | undefined): BrandRow => {
  const { theme, accent, desktop_logo, mobile_logo, privacy_url, footer } = row ?? defaultBrand;
  return { theme, accent, desktop_logo, mobile_logo, privacy_url, footer };
};

/**
 * Reads the brand that a caller sees: what it is trying, else that of its reseller. With the flag
 * DisablePartnerLevelWhitelabel the reseller's own people see none (document 1, section 2.2), but what they try.
 */
export async function brandSeenBy(
  db: Database,
  { accountId, resellerId, userType }: Caller,
  now: Date,
): Promise<{ readonly brand: BrandRow; readonly isTried: boolean }> {
  const draft = await draftOf(db, accountId, now);
  if (draft) return { brand: brandOf(draft), isTried: true };
  const isOfReseller = userType === 'reseller' || userType === 'admin';
  if (isOfReseller && (await flagsOf(db, accountId)).has('DisablePartnerLevelWhitelabel'))
    return { brand: defaultBrand, isTried: false };
  return { brand: brandOf(await savedBrand(db, resellerId)), isTried: false };
}
