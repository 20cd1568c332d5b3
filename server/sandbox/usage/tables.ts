import type { Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    usage_subscriptions: { id: Generated<number>; customer_id: string; subscription_id: string; name: string };
    usage_groups: { id: Generated<number>; subscription_id: number; name: string };
    usage_resources: { id: Generated<number>; group_id: number; resource_id: string; name: string };
    usage_meters: { id: Generated<number>; service: string; name: string; unit: string };
    usage_days: UsageDay & { resource_id: number; meter_id: number; quantity: number; source: Generated<string> };
    usage_resource_days: UsageDay & { resource_id: number };
    usage_meter_days: UsageDay & { group_id: number; meter_id: number; quantity: number };
    usage_files: {
      id: Generated<number>;
      customer_id: string;
      name: string;
      rows: number;
      sent: Date;
      sent_by: string;
      /** Null while it waits; its charges stand in `usage_staged` under `upload` then. */
      loaded: Date | null;
      upload: string | null;
      /** The last line of an invoice when it was loaded. */
      lines_before: Generated<number>;
      first_day: string | null;
      last_day: string | null;
      /** Null for a file of before that said none. */
      file_currency: string | null;
      /** A decimal; null where the file was in the currency of the reseller. */
      rate: string | null;
      added: Generated<number>;
      replaced: Generated<number>;
      unchanged: Generated<number>;
      gone: Generated<number>;
      /** Cost of the file's days before and after it; decimals as text. */
      cost_before: Generated<string>;
      cost_after: Generated<string>;
      /** When it was taken back. */
      undone: Generated<Date | null>;
    };
    usage_file_sums: UsageSums & { id: Generated<number>; file_id: number };
    usage_staged: {
      upload: string;
      staged: Generated<Date>;
      /** Name of the provider of the cloud, as the file says it. */
      source: string;
      subscription_id: string;
      subscription_name: string;
      group_name: string;
      resource_id: string;
      resource_name: string;
      service: string;
      meter: string;
      unit: string;
      /** Decimals as text: what is summed is exact. */
      day: string;
      quantity: string;
      cost: string;
    };
  }
}

/** Changes of a file to a subscription: charges by resource, meter and day, and their cost as decimals. */
type UsageSums = {
  subscription_id: string;
  subscription: string;
  added: number;
  replaced: number;
  unchanged: number;
  gone: number;
  cost_before: string;
  cost_after: string;
};

type UsageDay = { day: string; cost: number };
