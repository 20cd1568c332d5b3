import type { Generated } from 'kysely';

/** Document 2, section 3: what another user may do with a mailbox. */
export type PermissionKind = 'FullAccess' | 'SendAs';

/** Mailbox permissions, distribution groups and the recovery of mail. */
declare module '../tables.ts' {
  interface Tables {
    distribution_groups: { id: Generated<number>; customer_id: string; name: string; address: string };
    mailbox_permissions: { mailbox_id: number; user_id: number; kind: PermissionKind };
    recoverable_mails: { id: Generated<number>; user_id: number; received: Date; sender: string; subject: string };
    mail_recoveries: {
      id: Generated<number>;
      customer_id: string;
      user_id: number;
      first: Date;
      last: Date;
      deliver: string;
      mails: number;
      started: Date;
      ends: Date;
    };
  }
}
