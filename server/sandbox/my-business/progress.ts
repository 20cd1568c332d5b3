import type { CompanyFacts } from './tables.ts';

/** Columns of the facts that a company is asked for, by the name of the field; the others are optional. */
const asked = {
  CompanyNumber: 'company_number',
  TaxNumber: 'tax_number',
  Website: 'website',
  Email: 'email',
  Phone: 'phone',
  Address1: 'address1',
  TownCity: 'town_city',
  PostCode: 'post_code',
  Size: 'size',
  About: 'about',
  Areas: 'areas',
  Products: 'products',
} as const satisfies Readonly<Record<string, keyof CompanyFacts>>;
type Asked = keyof typeof asked;

/** Asked of resellers alone. */
const ofResellers: readonly Asked[] = ['Email', 'Phone', 'Address1', 'TownCity', 'PostCode', 'Products'];

export const askedFields = Object.keys(asked) as Asked[];

/** Counts what a company has said of what it is asked, and lists what is missing. */
export function progressOf(company: CompanyFacts, isReseller: boolean) {
  const fields = askedFields.filter(name => isReseller || !ofResellers.includes(name));
  const missing = fields.filter(name => company[asked[name]].length === 0);
  return {
    Done: fields.length - missing.length,
    Of: fields.length,
    Missing: missing.map(Field => ({ Id: Field, Field })),
  };
}
