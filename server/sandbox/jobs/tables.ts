import type { Generated } from 'kysely';

export type JobKind = 'activate' | 'modify' | 'delete';

declare module '../tables.ts' {
  interface Tables {
    jobs: {
      id: Generated<number>;
      instance_id: number;
      order_id: number | null;
      kind: JobKind;
      done: Generated<Date[]>;
      attempt: Generated<number>;
      state: Generated<'running' | 'done' | 'failed'>;
      failed_at: Date | null;
      due: Date;
      fails: string | null;
    };
  }
}
