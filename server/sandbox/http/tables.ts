import type { JSONColumnType } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    idempotency_keys: {
      account_id: number;
      key: string;
      fingerprint: string;
      reply: JSONColumnType<object> | null;
      created: Date;
    };
  }
}
