import type { JSONColumnType } from 'kysely';

export interface HttpTables {
  idempotency_keys: {
    account_id: number;
    key: string;
    fingerprint: string;
    reply: JSONColumnType<object> | null;
    created: Date;
  };
}
