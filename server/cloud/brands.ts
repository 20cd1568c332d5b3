import type { Look } from '../../shared/contract/boot.ts';
import type { Operation } from '../../shared/language/types.ts';
import { accentPattern } from '../../shared/rules/accent-pattern.ts';
import type { Credentials } from './call.ts';
import type { Cloud } from './gate.ts';

/** A brand with what documents may say of it. */
export type Brand = { readonly look: Look; readonly privacyPolicy?: string };

type Wire = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Wire =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '');

const accents = new RegExp(accentPattern);
/** The hash of a logo's content. */
const logoId = /^[A-Za-z0-9_-]{43}$/;

function readLogo(wire: unknown): Look['logo'] {
  if (!isObject(wire)) return undefined;
  const { Id, IsSvg, Width, Height } = wire;
  const isSize = [Width, Height].every(length => Number.isInteger(length) && (length as number) > 0);
  if (typeof Id !== 'string' || !logoId.test(Id) || !isSize) return undefined;
  return {
    src: `/brand/${Id}.${IsSvg === true ? 'svg' : 'png'}`,
    width: Math.min(Width as number, 163),
    height: Math.min(Height as number, 48),
  };
}

/** Reads a brand as the cloud tells it; undefined for the portal's own. Nothing of it is believed to be well formed. */
export function readBrand(wire: unknown): Brand | undefined {
  if (!isObject(wire) || (wire.IsCustom !== true && wire.IsTried !== true)) return undefined;
  const { Color_1_1: theme, Color_2_1: accent } = isObject(wire.MarketplaceWhitelabel)
    ? wire.MarketplaceWhitelabel
    : {};
  if (typeof accent !== 'string' || !accents.test(accent)) return undefined;
  const [logo, phoneLogo] = [readLogo(wire.DesktopLogo), readLogo(wire.MobileLogo)];
  const footer = text(wire.Footer, 160);
  const privacyPolicy = text(wire.PrivacyPolicyUrl, 300);
  const look: Look = {
    name: text(wire.Name, 100),
    accent: accent.toLowerCase(),
    ...((theme === 'dark' || theme === 'light') && { theme }),
    ...(logo && { logo }),
    ...(phoneLogo && { phoneLogo }),
    ...(footer !== '' && { footer }),
    ...(wire.IsTried === true && { isTried: true as const }),
  };
  return { look, ...(/^https:\/\/[^\s@]+$/.test(privacyPolicy) && { privacyPolicy }) };
}

const get = (path: string, names: readonly string[] = []): Operation => ({
  service: 'cloud',
  method: 'GET',
  path,
  ...(names.length > 0 && { with: Object.fromEntries(names.map(name => [name, { type: 'string' as const }])) }),
});
const ofUser = get('/api/whitelabel/getLoginUserWhiteLabel');
const ofAddress = get('/api/whitelabel/of-address', ['host', 'link']);
const logo = get('/api/whitelabel/getUserLogo/{id}', ['id']);

/** A picture of a brand. */
export type BrandLogo = { readonly type: 'image/png' | 'image/svg+xml'; readonly content: Buffer };

/** The calls about brands that the portal makes on its own (document 2, section 7: whitelabel). */
export type Brands = {
  /** Gives undefined for the portal's own look. Throws where the cloud does not say. */
  ofUser(credentials: Credentials): Promise<Brand | undefined>;
  /** The brand of a host name or a partner's link, where it has one of its own; undefined for an address of nobody. */
  ofAddress(
    address: { readonly host?: string; readonly link?: string },
    network: string,
  ): Promise<{ readonly brand: Brand | undefined } | undefined>;
  /** Gives undefined where there is no such logo. */
  logo(id: string, network: string): Promise<BrandLogo | undefined>;
};

/** Creates the client of the cloud for brands. */
export function createBrands(cloud: Cloud): Brands {
  return {
    async ofUser(credentials) {
      const { envelope } = await cloud.call({ operation: ofUser, parameters: {}, credentials, isOfRights: true });
      if (!envelope.Succeed) throw new Error('The cloud does not tell the brand.');
      return readBrand(envelope.Result);
    },
    async ofAddress(parameters, network) {
      const { envelope, status } = await cloud.call({ operation: ofAddress, parameters, network });
      if (!envelope.Succeed && status !== 404) throw new Error('The cloud does not tell the brand of an address.');
      return envelope.Succeed ? { brand: readBrand(envelope.Result) } : undefined;
    },
    async logo(id, network) {
      const { envelope } = await cloud.call({ operation: logo, parameters: { id }, network });
      const { DesktopImageString, IsSvg } = isObject(envelope.Result) ? envelope.Result : {};
      if (!envelope.Succeed || typeof DesktopImageString !== 'string') return undefined;
      const type = IsSvg === true ? 'image/svg+xml' : 'image/png';
      return { type, content: Buffer.from(DesktopImageString, 'base64') };
    },
  };
}
