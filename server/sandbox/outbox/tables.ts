import type { Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    outbox: OutboxTable;
  }
}

type OutboxTable = {
  id: Generated<number>;
  created: Date;
  recipient: string;
  subject: string;
  body: string;
  state: Generated<'waiting' | 'sent' | 'given-up' | 'blocked'>;
  attempts: Generated<number>;
  /** Not before this; null: at once. */
  next_attempt: Date | null;
  /** The mail server's last answer. */
  failure: string | null;
  /** Of the account that it is for, whose brand it shows. */
  reseller_id: number | null;
};
