import type { ColumnType, Generated } from 'kysely';

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
  /** Address that stops mails of this kind (RFC 8058). */
  unsubscribe: ColumnType<string | null, string | undefined>;
  /** Of the account that it is for, whose brand it shows. */
  reseller_id: number | null;
};
