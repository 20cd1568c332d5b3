import type { ColumnType, Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    approval_demands: { reseller_id: number; kind: string; above: number };
    approvals: {
      id: Generated<number>;
      reseller_id: number;
      kind: string;
      state: 'Waiting' | 'Approved' | 'Refused' | 'Withdrawn' | 'Expired' | 'Outdated';
      asked: ColumnType<AskedColumn | null, string, null>;
      fingerprint: string;
      act: ColumnType<ActColumn, string, never>;
      asker_id: number | null;
      asker: string;
      asker_grant: string;
      created: Date;
      expires: Date;
      decided: ColumnType<Date | null, undefined, Date>;
      decider_id: ColumnType<number | null, undefined, number | null>;
      decider: Generated<string>;
      reason: Generated<string>;
    };
  }
}

type AskedColumn = { route: string; params: object; query: object; body: unknown };
type ActColumn = {
  kind: string;
  target: string;
  count: number;
  names: string[];
  before: string;
  after: string;
  price: { monthly: number; first: number; currency: string } | null;
};
