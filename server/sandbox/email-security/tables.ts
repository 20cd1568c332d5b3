import type { Generated } from 'kysely';

/** From which score on mail is held, by the level of spam of a domain; mail of a domain without one is never held as spam. */
export const spamLevels = { Off: null, Low: 8, Normal: 5, High: 3.5, Strict: 2 } as const;
export type SpamLevel = keyof typeof spamLevels;
export const spamLevelNames = Object.keys(spamLevels) as readonly SpamLevel[];
export const archiveLevels = ['Off', 'Outside', 'All'] as const;
export const virusNotifications = ['None', 'Recipient', 'Manager'] as const;

/** Lists of a domain: senders that are let through, that are refused, and whose mail is archived at any level. */
export const listNames = ['White', 'Black', 'Archive'] as const;
export type ListName = (typeof listNames)[number];
export const entryKinds = ['Address', 'Domain', 'Subdomains', 'Range'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Lists that take rule files. */
export const fileLists = ['White', 'Black'] as const;
export type FileList = (typeof fileLists)[number];
export const fileStates = ['Waiting', 'Loaded', 'Undone'] as const;
/** What becomes of a line: it is added (also where the other list says otherwise), is there already, or is no entry. */
export const lineOutcomes = ['New', 'Contradicts', 'Held', 'Repeated', 'Invalid'] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

declare module '../tables.ts' {
  interface Tables {
    security_domains: {
      /** That of the domain (`organisation_domains`). */
      id: number;
      customer_id: string;
      name: string;
      spam_level: Generated<SpamLevel>;
      archive_level: Generated<(typeof archiveLevels)[number]>;
      virus_notification: Generated<(typeof virusNotifications)[number]>;
      inbound_host: Generated<string>;
      journal_address: Generated<string>;
      backscatter: Generated<boolean>;
      created: Date;
    };
    security_entries: {
      id: Generated<number>;
      customer_id: string;
      security_domain_id: number;
      list: ListName;
      address: string;
      kind: EntryKind;
      version: number | null;
      low: string | null;
      high: string | null;
      note: Generated<string>;
      author: string;
      created: Date;
      /** The rule file that added it. */
      file_id: number | null;
    };
    security_files: {
      id: Generated<number>;
      customer_id: string;
      security_domain_id: number;
      list: FileList;
      name: string;
      status: Generated<(typeof fileStates)[number]>;
      sent: Date;
      sent_by: string;
    };
    security_file_lines: {
      file_id: number;
      line: number;
      typed: string;
      note: string;
      address: string;
      outcome: LineOutcome;
      reason: string;
    };
  }
}
