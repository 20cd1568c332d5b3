/** Countries whose companies can become resellers, with the currency in which they buy, by their ISO 3166-1 codes. */
export const countries = {
  AT: { name: 'Austria', currency: 'EUR' },
  BE: { name: 'Belgium', currency: 'EUR' },
  DE: { name: 'Germany', currency: 'EUR' },
  ES: { name: 'Spain', currency: 'EUR' },
  FR: { name: 'France', currency: 'EUR' },
  GB: { name: 'United Kingdom', currency: 'GBP' },
  GG: { name: 'Guernsey', currency: 'GBP' },
  IE: { name: 'Ireland', currency: 'EUR' },
  IM: { name: 'Isle of Man', currency: 'GBP' },
  IT: { name: 'Italy', currency: 'EUR' },
  JE: { name: 'Jersey', currency: 'GBP' },
  NL: { name: 'Netherlands', currency: 'EUR' },
  PT: { name: 'Portugal', currency: 'EUR' },
} as const;

type Country = keyof typeof countries;
export const countryCodes = Object.keys(countries) as Country[];

/** Gives a country by its code. Throws for one that no request can name. */
export function countryOf(code: string): (typeof countries)[Country] {
  const country = countries[code as Country];
  if (country === undefined) throw new Error(`no country ${code}`);
  return country;
}
