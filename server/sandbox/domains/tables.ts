import type { ColumnType, Generated } from 'kysely';

/** States of a domain: mail of a delayed one does not arrive yet. */
export const domainStates = ['Active', 'Delayed'] as const;

/** Kinds of records of the sandbox's DNS server. `FAULT` says how the server fails for a name. */
export const recordKinds = ['CNAME', 'MX', 'TXT', 'FAULT'] as const;
export type RecordKind = (typeof recordKinds)[number];

export const recordStates = [
  ...(['Right', 'Missing', 'Different', 'Several'] as const),
  ...(['NoDomain', 'Loop', 'Failed', 'Silent', 'NotChecked'] as const),
] as const;
export type RecordState = (typeof recordStates)[number];
export const recordPurposes = ['Mx', 'Spf', 'Autodiscover', 'Dkim1', 'Dkim2', 'Dmarc'] as const;

/** The result of a check for one record that a domain should have. */
export type FoundRecord = {
  readonly purpose: (typeof recordPurposes)[number];
  readonly state: RecordState;
  readonly found: readonly string[];
};

declare module '../tables.ts' {
  interface Tables {
    organisation_domains: {
      id: Generated<number>;
      customer_id: string;
      /** As people write it. */
      name: string;
      /** As DNS has it: in small letters, labels beyond ASCII as A-labels (RFC 5890). */
      ascii: string;
      state: Generated<(typeof domainStates)[number]>;
      created: Date;
      /** When its DNS records were checked, and what was found. */
      checked: Generated<Date | null>;
      found: ColumnType<readonly FoundRecord[] | null, never, string>;
    };
    dns_records: { id: Generated<number>; name: string; type: RecordKind; value: string };
  }
}
