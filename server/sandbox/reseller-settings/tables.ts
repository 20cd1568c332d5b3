import type { ColumnType, Generated } from 'kysely';
import type { MailKind } from './blocked-mails.ts';

/** Settings of a reseller. Empty addresses: the customer's own contact. */
export type Settings = {
  readonly backup_admin: string;
  readonly endpoint_admin: string;
  readonly blocked_mails: readonly MailKind[];
  /** For people who have chosen none and whose browser has told none; the name of a time zone (IANA). */
  readonly time_zone: string;
  /** The language of mails to those who have chosen none; null: English. */
  readonly locale: string | null;
};

declare module '../tables.ts' {
  interface Tables {
    reseller_settings: {
      reseller_id: number;
      backup_admin: Generated<string>;
      endpoint_admin: Generated<string>;
      blocked_mails: Generated<MailKind[]>;
      version: Generated<number>;
      changed_by: Generated<string>;
      /** The settings before the last change; null once that was undone. */
      before: ColumnType<Settings | null, string | null | undefined, string | null>;
    };
  }
}
