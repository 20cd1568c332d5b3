import type { ColumnType, Generated } from 'kysely';

/** The state of a request for a right. */
export type RequestState = 'Open' | 'Granted' | 'Refused' | 'Withdrawn' | 'Expired';

declare module '../tables.ts' {
  interface Tables {
    access_requests: {
      id: Generated<number>;
      account_id: number;
      reseller_id: number;
      mark: string;
      title: string;
      address: string;
      /** Names of views and permissions, and "prices", in the order of the alphabet. */
      rights: string[];
      reason: string;
      state: ColumnType<RequestState, RequestState | undefined>;
      created: Date;
      expires: Date;
      ended: ColumnType<Date | null, Date | null | undefined>;
      ended_by: Generated<string>;
      answer: Generated<string>;
    };
  }
}
