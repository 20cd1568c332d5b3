import { shadesOf } from '../../../shared/rules/accent.ts';
import { escapeHtml } from '../http/escape-html.ts';
import type { Database } from '../tables.ts';
import { brandOf, isCustom, savedBrand } from '../whitelabel/brand.ts';

/** A brand as mails and printed documents show it. They show pictures, and no SVG: without one the name stands there. */
export type PrintedBrand = {
  readonly name: string;
  /** Six hexadecimal digits, legible as text on white. */
  readonly accent: string;
  readonly logo?: { readonly content: Buffer; readonly width: number; readonly height: number };
};

/** Reads the saved brand of a reseller for a mail or a printed document; undefined where it has none. */
export async function printedBrandOf(db: Database, resellerId: number | null): Promise<PrintedBrand | undefined> {
  if (resellerId === null) return undefined;
  const brand = brandOf(await savedBrand(db, resellerId));
  if (!isCustom(brand)) return undefined;
  const { name } = await db
    .selectFrom('resellers')
    .select('name')
    .where('id', '=', resellerId)
    .executeTakeFirstOrThrow();
  const ids = [brand.desktop_logo, brand.mobile_logo].filter(id => id !== null);
  const pictures =
    ids.length === 0
      ? []
      : await db.selectFrom('brand_logos').selectAll().where('id', 'in', ids).where('type', '=', 'image/png').execute();
  const picture = pictures.find(({ id }) => id === brand.desktop_logo) ?? pictures[0];
  const { text: accent } = shadesOf(brand.accent);
  if (!picture) return { name, accent };
  const { content, width, height } = picture;
  return { name, accent, logo: { content: Buffer.from(content), width, height } };
}

/** The name by which the HTML of a mail finds its attached logo. */
export const logoPart = 'logo@brand';

/**
 * Writes the text of a mail as HTML with the logo, or the name, and the accent of a brand.
 * @param source where the picture is: `cid:` and the name of a part, or a `data:` address
 */
export function writeBranded(body: string, { name, accent, logo }: PrintedBrand, source: string): string {
  const head = logo
    ? `<img src="${escapeHtml(source)}" alt="${escapeHtml(name)}" width="${logo.width}" height="${logo.height}">`
    : `<b style="font-size:20px;color:#${accent}">${escapeHtml(name)}</b>`;
  const text = escapeHtml(body)
    .replace(/https?:\/\/[^\s<]+/g, `<a href="$&" style="color:#${accent}">$&</a>`)
    .replace(/\n/g, '<br>');
  return `<div style="background:#fff;color:#222;font:15px/1.5 sans-serif"><div style="border-bottom:3px solid #${accent};padding:0 0 12px;margin:0 0 16px">${head}</div>${text}</div>`;
}
