import type { Logger } from 'pino';
import type { Store } from './store.ts';

/** One thing that happened: who did what to what, and how it ended. Never holds a secret or what was typed. */
export type AuditRecord = {
  readonly action: string;
  readonly outcome: 'done' | 'refused' | 'failed' | 'unknown' | 'waits';
  readonly account?: string | undefined;
  readonly actor?: string | undefined;
  readonly address?: string | undefined;
  readonly device?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
};

export type Audit = (record: AuditRecord) => Promise<void>;

const longest = 300;
/** PostgreSQL text cannot hold NUL; other control characters could forge lines wherever the record is printed. */
const clean = (text: string): string =>
  text.slice(0, longest).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/gu, ' ');

/**
 * Gives a function that writes an audit record. It never rejects: a record that cannot be written goes to the log,
 * since the session check before it already refuses all work while the database is down.
 */
export function createAudit(store: Store, log: Logger): Audit {
  return async ({ action, outcome, account, actor, address, device, detail = {} }) => {
    const cleaned = Object.fromEntries(
      Object.entries(detail).map(([name, value]) => [clean(name), typeof value === 'string' ? clean(value) : value]),
    );
    const row = {
      action: clean(action),
      outcome,
      account: account === undefined ? null : clean(account),
      actor: actor === undefined ? null : clean(actor),
      address: address === undefined ? null : clean(address),
      device: device === undefined ? null : clean(device),
      detail: JSON.stringify(cleaned),
    };
    try {
      await store.run(db => db.insertInto('audit').values(row).execute());
    } catch (error) {
      log.error({ record: row, reason: (error as Error).message }, 'an audit record could not be written');
    }
  };
}
