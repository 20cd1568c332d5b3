/** Letters of a User-Agent that are looked at. */
const longest = 500;

/** The first that fits counts: most browsers also say that they are some of those below them. */
const browsers: readonly (readonly [sign: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const systems: readonly (readonly [sign: string, name: string])[] = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
];

/** Kept where the browser is not known; people are shown the text of the same meaning. */
export const unknownDevice = 'Unknown device';

/**
 * Describes a browser in short words ("Chrome on Windows") from its User-Agent (RFC 9110, section 10.1.5). Nothing of
 * the header itself is passed on.
 */
export function describeDevice(userAgent: string | undefined): string {
  const said = (userAgent ?? '').slice(0, longest);
  const nameIn = (names: typeof browsers) => names.find(([sign]) => said.includes(sign))?.[1];
  const browser = nameIn(browsers);
  const system = nameIn(systems);
  if (!browser || !system) return browser ?? system ?? unknownDevice;
  return `${browser} on ${system}`;
}
