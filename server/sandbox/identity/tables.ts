import type { Generated, JSONColumnType } from 'kysely';

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
    /** `last_used`: null where nobody has signed in by it. */
    identities: { issuer: string; subject: string; account_id: number; last_used: Generated<Date | null> };
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
