import type { Generated, JSONColumnType } from 'kysely';

/** Of the text of an agreement: see the policies. */
export type Section = {
  type: number;
  content: string;
  content_label?: string;
  anchor_value?: string;
  anchor_text?: string;
  nesting_level?: number;
};

declare module '../tables.ts' {
  interface Tables {
    agreements: { id: number; title: string; service_ids: number[]; linked_ids: number[] };
    agreement_versions: { agreement_id: number; version: number; published: Date; sections: JSONColumnType<Section[]> };
    agreement_signatures: {
      agreement_id: number;
      version: number;
      reseller_id: number;
      account_id: number;
      signatory: string;
      signed: Date;
      image_id: string | null;
    };
    signature_images: { id: Generated<string>; account_id: number; png: Buffer; created: Date };
  }
}
