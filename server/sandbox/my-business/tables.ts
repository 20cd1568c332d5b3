import type { ColumnType, Generated } from 'kysely';

/** Facts of a company as they are stored. */
export type CompanyFacts = {
  trading_name: string;
  company_number: string;
  tax_number: string;
  website: string;
  email: string;
  phone: string;
  address1: string;
  address2: string;
  town_city: string;
  county: string;
  post_code: string;
  size: '' | 'Micro' | 'Small' | 'Medium' | 'Large';
  about: string;
  areas: string[];
  products: string[];
};
type Defaulted<T> = { [name in keyof T]: ColumnType<T[name], T[name] | undefined> };

declare module '../tables.ts' {
  interface Tables {
    companies: Defaulted<CompanyFacts> & {
      id: Generated<number>;
      reseller_id: number;
      customer_id: string | null;
      since: ColumnType<Date, string, string>;
      version: Generated<number>;
      changed_by: Generated<string>;
    };
  }
}
