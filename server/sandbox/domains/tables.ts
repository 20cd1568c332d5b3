import type { Generated } from 'kysely';

/** What a domain can be: mail of a delayed one does not arrive yet. */
export const domainStates = ['Active', 'Delayed'] as const;

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
    };
  }
}
