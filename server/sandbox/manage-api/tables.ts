import type { Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    api_keys: {
      id: Generated<number>;
      account_id: number;
      name: string;
      hash: string;
      old_hash: string | null;
      old_until: Date | null;
      operations: string[];
      calls: string[];
      addresses: string[];
      created: Date;
      expires: Date;
      last_used: Date | null;
      last_address: string | null;
    };
  }
}
