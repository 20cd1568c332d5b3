import type { Generated } from 'kysely';

/** Document 2, section 3: what others may do with a mailbox; and to send in its name, with their own beside it. */
export const permissionKinds = ['FullAccess', 'SendAs', 'SendOnBehalf'] as const;
export type PermissionKind = (typeof permissionKinds)[number];

/** Senders whose mail a distribution group takes: everyone, the organisation, its members, or those that are chosen. */
export const groupSenders = ['Everyone', 'Organisation', 'Members', 'Chosen'] as const;
export type GroupSenders = (typeof groupSenders)[number];
/** Roles of a user at a distribution group; a chosen sender counts while the group takes mail of these alone. */
export type GroupRole = 'Manager' | 'Sender';

/** Mailboxes with their addresses and permissions, distribution groups and the recovery of mail. */
declare module '../tables.ts' {
  interface Tables {
    mailboxes: {
      id: Generated<number>;
      customer_id: string;
      kind: Generated<'user' | 'shared' | 'room'>;
      /** Whose mailbox it is; null of one that several share, and of a room. */
      user_id: number | null;
      /** Of one that belongs to no user; else empty. */
      name: Generated<string>;
      /** Of a room: that it is a piece of equipment, how many people it seats, and how it answers invitations. */
      is_equipment: Generated<boolean>;
      capacity: Generated<number>;
      accepts: Generated<boolean>;
      allows_conflicts: Generated<boolean>;
      longest_hours: Generated<number>;
      days_ahead: Generated<number>;
      quota_mb: number;
      used_mb: Generated<number>;
      /** The address book, as JSON by field; null until somebody edits it. */
      address_book: Generated<string | null>;
      /** Whether it keeps a copy of what it forwards. */
      keeps_copy: Generated<boolean>;
      created: Date;
    };
    mail_addresses: {
      id: Generated<number>;
      customer_id: string;
      /** Of the three one is set. */
      mailbox_id: number | null;
      group_id: number | null;
      contact_id: number | null;
      address: string;
      /** True of one address of each mailbox and group: the one that it writes from. */
      is_primary: Generated<boolean>;
      created: Date;
    };
    mail_forwards: {
      id: Generated<number>;
      customer_id: string;
      mailbox_id: number;
      address: string;
      created: Date;
    };
    /** Without a row mail may be forwarded outside. */
    mail_security: { customer_id: string; forwards_outside: boolean };
    distribution_groups: {
      id: Generated<number>;
      customer_id: string;
      name: string;
      /** True of one that can hold permissions, as in Exchange; others only distribute mail. */
      is_security: Generated<boolean>;
      /** True: the address book does not show it. */
      hidden: Generated<boolean>;
      senders: Generated<GroupSenders>;
      created: Generated<Date>;
    };
    mail_contacts: {
      id: Generated<number>;
      customer_id: string;
      name: string;
      first_name: string;
      last_name: string;
      company: string;
      phone: string;
      /** True: the address book does not show it. */
      hidden: Generated<boolean>;
      created: Date;
    };
    /** Of the four one is set. A mailbox stands for itself where it belongs to no user. */
    group_members: {
      group_id: number;
      user_id: number | null;
      mailbox_id: number | null;
      contact_id: number | null;
      member_group_id: number | null;
    };
    group_people: { group_id: number; user_id: number; role: GroupRole };
    /** Of a user, or of a group. */
    mailbox_permissions: { mailbox_id: number; user_id: number | null; group_id: number | null; kind: PermissionKind };
    /** What was given and taken at once, as JSON: lists of rows of `mailbox_permissions`. */
    mail_permission_changes: {
      id: Generated<number>;
      customer_id: string;
      given: string;
      taken: string;
      made: Date;
      undone: Generated<Date | null>;
    };
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
