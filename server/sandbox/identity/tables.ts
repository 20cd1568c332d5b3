import type { JSONColumnType } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    people: {
      subject: string;
      provider: string;
      username: string;
      display_name: string;
      password_hash: string;
      organisation_id: string | null;
    };
    identities: { issuer: string; subject: string; account_id: number };
    spent_tokens: { hash: string; expires: Date };
    provider_records: {
      provider: string;
      model: string;
      id: string;
      payload: JSONColumnType<object>;
      uid: string | null;
      grant_id: string | null;
      expires: Date | null;
    };
    provider_attempts: { key: string; failures: number; ends: Date };
  }
}
