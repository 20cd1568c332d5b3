import type { ColumnType } from 'kysely';

/** A brand as it is stored. Logos are ids of `brand_logos`. */
export type BrandRow = {
  theme: 'dark' | 'light' | 'default';
  /** Six hexadecimal digits, lower case. */
  accent: string;
  desktop_logo: string | null;
  mobile_logo: string | null;
  privacy_url: string;
  footer: string;
};

declare module '../tables.ts' {
  interface Tables {
    brand_logos: {
      id: string;
      type: 'image/png' | 'image/svg+xml';
      content: Buffer;
      width: number;
      height: number;
      created: Date;
    };
    brands: BrandRow & {
      reseller_id: number;
      version: number;
      changed: Date;
      changed_by: string;
      before: ColumnType<BrandRow | null, string | null, string | null>;
    };
    brand_drafts: BrandRow & { account_id: number; base_version: number; until: Date };
    brand_addresses: { address: string; kind: 'host' | 'link'; reseller_id: number };
  }
}
