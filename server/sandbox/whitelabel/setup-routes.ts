import type { FromSchema } from 'json-schema-to-ts';
import { contrastsOf, isLegible, nearestLegible } from '../../../shared/rules/accent.ts';
import { accentPattern } from '../../../shared/rules/accent-pattern.ts';
import type { Caller } from '../auth/caller.ts';
import { allOf, ofReseller, view } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { CloudError, notFound } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  integer,
  list,
  number,
  object,
  orNull,
  partial,
  string,
  text,
} from '../http/schema.ts';
import { requireSeesAll } from '../limits/limit.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { brandOf, brandShapes, defaultBrand, draftOf, isCustom, savedBrand, tellBrand, themes } from './brand.ts';
import { type Logo, largestLogo, logoTypes, readLogoFile } from './logo.ts';
import { dropDraft, forgetLogos, keepDraft, saveBrand, tellLook, workedOn } from './setup.ts';
import type { BrandRow } from './tables.ts';

/** The reseller's own people with the view of settings. */
const brands = allOf(view('settings'), ofReseller);

const bodyOf = {
  Color_1_1: { type: 'string', enum: themes },
  Color_2_1: { type: 'string', pattern: accentPattern },
  PrivacyPolicyUrl: { ...text(300), pattern: '^$|^https://[^\\s/?#@.]+(?:\\.[^\\s/?#@.]+)+(?:[/?#][^\\s@]*)?$' },
  Footer: text(160),
} as const;
const themeBody = partial(bodyOf, 'Color_1_1', 'Color_2_1');
/** A value that is not given is the one that is tried; an empty body saves the trial as it is. */
const saveBody = { ...partial({ ...bodyOf, Version: { type: 'integer' } }), type: ['object', 'null'] } as const;

const setup = object({
  ...brandShapes,
  /** Those of MarketplaceWhitelabel, as SaveTheme takes them. */
  Color_1_1: { ...string, enum: themes },
  Color_2_1: string,
  /** The whole address of the partner's link; empty where there is none. */
  Link: string,
  Hosts: list(string),
  Version: integer,
  Changed: orNull(date),
  ChangedBy: orNull(string),
  IsTried: boolean,
  MayUndo: boolean,
  IsSavedCustom: boolean,
});
const contrast = object({
  Nearest: string,
  IsLegible: boolean,
  Contrasts: list(object({ Theme: string, Part: string, Ratio: number, Least: number })),
});

const places = { desktop: 'desktop_logo', mobile: 'mobile_logo' } as const;
const placeOf = (name: string): (typeof places)[keyof typeof places] => {
  if (name !== 'desktop' && name !== 'mobile') throw notFound();
  return places[name];
};

/** The brand that a body asks for, with the logos that the caller works on. */
function brandIn(body: FromSchema<typeof themeBody>, worked: BrandRow): BrandRow {
  const accent = body.Color_2_1.toLowerCase();
  if (!isLegible(accent)) throw refuseField('Color_2_1', 'AccentUnreadable', { Nearest: `#${nearestLegible(accent)}` });
  const { PrivacyPolicyUrl = '', Footer = '' } = body;
  return { ...worked, theme: body.Color_1_1, accent, privacy_url: PrivacyPolicyUrl, footer: Footer.trim() };
}

/** Records that a file was refused, since nothing else of the request stays. */
async function recordRefused(db: Database, caller: Caller, place: string, error: unknown, now: Date): Promise<void> {
  if (!(error instanceof CloudError)) return;
  const event = {
    action: 'Logo refused',
    target: 'Brand',
    detail: `${place}: ${error.refusals[0]?.Code ?? error.code}`,
  };
  await db
    .transaction()
    .execute(trx =>
      recordActivity(trx, { resellerId: caller.resellerId }, caller, now, { ...event, views: ['settings'] }),
    );
}

async function addressesOf({ db, portalUrl }: Pick<Parts, 'db' | 'portalUrl'>, resellerId: number) {
  const rows = await db.selectFrom('brand_addresses').selectAll().where('reseller_id', '=', resellerId).execute();
  const of = (kind: 'host' | 'link') => rows.flatMap(row => (row.kind === kind ? [row.address] : []));
  const [link] = of('link');
  return { Link: link === undefined ? '' : new URL(`/with/${link}`, portalUrl).href, Hosts: of('host') };
}

/** Adds the routes by which a reseller's people set up its brand (document 2, section 7: whitelabel). */
export function addBrandSetupRoutes(app: App, { db, now, portalUrl }: Parts): void {
  const common = { tags: ['whitelabel'], needs: brands } as const;
  const route = routeAdder(app, db, common);

  route('GET /api/whitelabel/GetWhiteLabelThemes', { reply: list(object({ Value: string, Name: string })) }, () =>
    themes.map(theme => ({ Value: theme, Name: `${theme[0]!.toUpperCase()}${theme.slice(1)}` })),
  );

  route('GET /api/whitelabel/GetWhiteLabelForSetup', { reply: setup }, async ({ caller }) => {
    const { resellerId: id, resellerName: name } = caller;
    const [saved, draft] = [await savedBrand(db, id), await draftOf(db, caller.accountId, now())];
    return {
      ...(await tellBrand(db, { id, name }, brandOf(draft ?? saved))),
      ...(await addressesOf({ db, portalUrl }, id)),
      Color_1_1: brandOf(draft ?? saved).theme,
      Color_2_1: brandOf(draft ?? saved).accent,
      Version: saved?.version ?? 0,
      Changed: saved?.changed.toISOString() ?? null,
      ChangedBy: saved?.changed_by ?? null,
      IsTried: draft !== undefined,
      MayUndo: saved !== undefined && saved.before !== null,
      IsSavedCustom: isCustom(brandOf(saved)),
    };
  });

  route(
    'POST /api/whitelabel/getpreviewtheme',
    {
      body: themeBody,
      reply: contrast,
      once: true,
      summary: 'Shows a brand to the caller alone, on every page, for an hour',
    },
    async ({ caller, body, trx }) => {
      const brand = brandIn(body, await workedOn(trx, caller, now()));
      await keepDraft(trx, caller, brand, now());
      return {
        Nearest: nearestLegible(brand.accent),
        IsLegible: true,
        Contrasts: contrastsOf(brand.accent).map(({ theme, part, ratio, least }) => ({
          Theme: theme,
          Part: part,
          Ratio: Math.floor(ratio * 100) / 100,
          Least: least,
        })),
      };
    },
  );

  route('POST /api/whitelabel/SaveTheme', { body: saveBody, once: true }, async ({ caller, body, trx }) => {
    requireSeesAll(caller);
    const [saved, worked] = [await savedBrand(trx, caller.resellerId), await workedOn(trx, caller, now())];
    const version = body?.Version ?? (await draftOf(trx, caller.accountId, now()))?.base_version;
    if ((saved?.version ?? 0) !== version) throw refuseConflict('BrandChanged', { By: saved?.changed_by ?? '' });
    const { Color_1_1 = worked.theme, Color_2_1 = worked.accent } = body ?? {};
    const { PrivacyPolicyUrl = worked.privacy_url, Footer = worked.footer } = body ?? {};
    const brand = brandIn({ Color_1_1, Color_2_1, PrivacyPolicyUrl, Footer }, worked);
    await saveBrand(trx, caller, brand, { now: now(), action: 'Brand changed' });
    await dropDraft(trx, caller);
    await tellLook(trx, caller, true);
    return 'The brand was saved.';
  });

  route('POST /api/whitelabel/discard', { once: true }, async ({ caller, trx }) => {
    await dropDraft(trx, caller);
    await tellLook(trx, caller, false);
    return 'The trial has ended.';
  });

  route('POST /api/whitelabel/undo', { once: true }, async ({ caller, trx }) => {
    requireSeesAll(caller);
    const saved = await savedBrand(trx, caller.resellerId);
    if (!saved?.before) throw refuseConflict('UndoOver');
    await saveBrand(trx, caller, brandOf(saved.before), {
      now: now(),
      action: 'Brand change undone',
      keepsBefore: false,
    });
    await dropDraft(trx, caller);
    await tellLook(trx, caller, true);
    return 'The brand is as it was before.';
  });

  route('POST /api/whitelabel/reset', { once: true }, async ({ caller, trx }) => {
    requireSeesAll(caller);
    await saveBrand(trx, caller, defaultBrand, { now: now(), action: 'Brand reset' });
    await dropDraft(trx, caller);
    await tellLook(trx, caller, true);
    return 'The portal has its own look again.';
  });

  route(
    'POST /api/whitelabel/logos/:place/remove',
    { once: true, summary: 'Takes a logo off the brand that the caller works on' },
    async ({ caller, params: { place }, trx }) => {
      requireSeesAll(caller);
      const worked = await workedOn(trx, caller, now());
      await keepDraft(trx, caller, { ...worked, [placeOf(place)]: null }, now());
    },
  );

  app.register(async (files: App) => {
    files.removeContentTypeParser('application/json');
    files.addContentTypeParser([...logoTypes], { parseAs: 'buffer' }, (request, body, next) =>
      next(null, { type: request.headers['content-type']?.split(';')[0]?.trim(), bytes: body }),
    );
    routeAdder(files, db, common)(
      'POST /api/whitelabel/logos/:place',
      {
        consumes: [...logoTypes],
        bodyLimit: largestLogo,
        reply: object({ Id: string, Width: integer, Height: integer, IsSvg: boolean }),
        summary: 'Puts a logo on the brand that the caller works on',
      },
      async ({ caller, params: { place }, body }) => {
        requireSeesAll(caller);
        const column = placeOf(place);
        const { type, bytes } = body as { readonly type: Logo['type']; readonly bytes: Buffer };
        let logo: Logo;
        try {
          logo = readLogoFile(type, bytes);
        } catch (error) {
          await recordRefused(db, caller, place, error, now());
          throw error;
        }
        await db.transaction().execute(async trx => {
          await trx
            .insertInto('brand_logos')
            .values({ ...logo, created: now() })
            .onConflict(conflict => conflict.column('id').doUpdateSet({ created: now() }))
            .execute();
          const worked = await workedOn(trx, caller, now());
          await keepDraft(trx, caller, { ...worked, [column]: logo.id }, now());
          await forgetLogos(trx, now());
        });
        return { Id: logo.id, Width: logo.width, Height: logo.height, IsSvg: logo.type === 'image/svg+xml' };
      },
    );
  });
}
