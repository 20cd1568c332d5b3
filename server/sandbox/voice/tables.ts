import type { Generated, JSONColumnType } from 'kysely';

/** Route names of the two products of hosted voice (document 1, section 2.4). */
export const voiceProducts = ['hosted-voice', 'hosted-voice-hardware'] as const;

export type VoiceProduct = (typeof voiceProducts)[number];

/** Address that handsets are delivered to. */
export type HardwareAddress = {
  readonly Address1: string;
  readonly Address2: string;
  readonly Address3: string;
  readonly TownCity: string;
  readonly County: string;
  readonly PostCode: string;
  readonly Telephone: string;
};

/** Tables of what is offered of hosted voice, and of its orders. */
declare module '../tables.ts' {
  interface Tables {
    voice_hardware: {
      id: string;
      position: number;
      name: string;
      description: string;
      price: number;
      price_eur: number;
      max_quantity: number;
    };
    voice_delivery_options: {
      id: string;
      position: number;
      name: string;
      description: string;
      cost: number;
      cost_eur: number;
      days: number;
    };
    voice_orders: VoiceOrderTable;
    voice_sites: {
      voice_order_id: number;
      position: number;
      site_name: string;
      address1: string;
      address2: string;
      town: string;
      county: string;
      postcode: string;
      property_type: string;
      ddi_blocks: number;
      ddi_area_code: string;
    };
    voice_order_hardware: { voice_order_id: number; hardware_id: string; quantity: number; price: number };
  }
}

type VoiceOrderTable = {
  id: Generated<number>;
  reference: string;
  customer_id: string;
  account_id: number | null;
  created_by: string;
  created: Date;
  product: VoiceProduct;
  order_type: number;
  mitel_licences: number;
  mitel_change: number;
  non_mitel_licences: number;
  non_mitel_change: number;
  call_reporting_address: string;
  order_id: number | null;
  delivery_option: string | null;
  delivery_cost: number;
  hardware_address: JSONColumnType<HardwareAddress> | null;
  status: Generated<'Submitted' | 'In progress' | 'Completed'>;
  due: Date;
  estimated_completion: Date;
};
