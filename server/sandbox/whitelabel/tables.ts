import type { ColumnType } from 'kysely';
import type { BrandRow } from './brand.ts';

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
    brand_drafts: BrandRow & { account_id: number; until: Date; shown: boolean };
    brand_addresses: { address: string; kind: 'host' | 'link'; reseller_id: number };
  }
}
