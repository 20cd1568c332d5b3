import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { brandOf, brandSeenBy, brandShapes, savedBrand, tellBrand } from './brand.ts';

/** Document 2, section 3: whitelabel logo. The strings are base64; empty where there is no such logo. */
const logos = object({ DesktopImageString: string, MobileImageString: string, IsCustom: boolean, IsSvg: boolean });

/**
 * Adds the routes that need no sign-in: the brand of an address, by host name or by the link of a partner, and the bytes
 * of a logo, whose id nobody can guess who was not told a brand that has it.
 */
export function addBrandRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['whitelabel'] });
  const query = partial({ host: { ...text(253), default: '' }, link: { ...text(60), default: '' } });

  route('GET /api/whitelabel/of-address', { query, reply: object(brandShapes) }, async ({ query: { host, link } }) => {
    const found = await db
      .selectFrom('brand_addresses as a')
      .innerJoin('resellers as r', 'r.id', 'a.reseller_id')
      .select(['r.id', 'r.name'])
      .where(({ or, and, eb }) =>
        or([
          and([eb('a.kind', '=', 'host'), eb('a.address', '=', host.toLowerCase())]),
          and([eb('a.kind', '=', 'link'), eb('a.address', '=', link.toLowerCase())]),
        ]),
      )
      .orderBy('a.kind')
      .executeTakeFirstOrThrow(notFound);
    return await tellBrand(db, found, brandOf(await savedBrand(db, found.id)));
  });

  route('GET /api/whitelabel/getUserLogo/:id', { reply: logos }, async ({ params }) => {
    const { content, type } = await db
      .selectFrom('brand_logos')
      .select(['content', 'type'])
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow(notFound);
    const image = Buffer.from(content).toString('base64');
    return { DesktopImageString: image, MobileImageString: '', IsCustom: true, IsSvg: type === 'image/svg+xml' };
  });
}

/** Adds the routes about the brand that the caller sees (document 2, section 7: whitelabel). */
export function addOwnBrandRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['whitelabel'], needs: anyone });
  const seen = object({ ...brandShapes, IsTried: boolean });

  route('GET /api/whitelabel/getLoginUserWhiteLabel', { reply: seen, withoutRecord: true }, async ({ caller }) => {
    const { brand, isTried } = await brandSeenBy(db, caller, now());
    const reseller = { id: caller.resellerId, name: caller.resellerName };
    return { ...(await tellBrand(db, reseller, brand)), IsTried: isTried };
  });

  route('GET /api/whitelabel/getLoginUserLogo', { reply: logos }, async ({ caller }) => {
    const { brand } = await brandSeenBy(db, caller, now());
    const ids = [brand.desktop_logo, brand.mobile_logo].filter(id => id !== null);
    const rows =
      ids.length === 0 ? [] : await db.selectFrom('brand_logos').selectAll().where('id', 'in', ids).execute();
    const find = (id: string | null) => rows.find(row => row.id === id);
    const encoded = (id: string | null) => Buffer.from(find(id)?.content ?? '').toString('base64');
    return {
      DesktopImageString: encoded(brand.desktop_logo),
      MobileImageString: encoded(brand.mobile_logo),
      IsCustom: rows.length > 0,
      IsSvg: (find(brand.desktop_logo) ?? find(brand.mobile_logo))?.type === 'image/svg+xml',
    };
  });

  route(
    'GET /api/whitelabel/hasCustomPrivacyPolicy',
    { reply: object({ HasCustomPrivacyPolicy: boolean, PrivacyPolicyUrl: string }) },
    async ({ caller }) => {
      const { privacy_url } = (await brandSeenBy(db, caller, now())).brand;
      return { HasCustomPrivacyPolicy: privacy_url !== '', PrivacyPolicyUrl: privacy_url };
    },
  );
}
