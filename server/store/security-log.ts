import { sql } from 'kysely';
import type { Store } from './store.ts';

/** One thing that happened to an account's own sign-in. */
export type SecurityEvent = {
  readonly id: string;
  readonly at: Date;
  /** One of `securityEvents`. */
  readonly event: string;
  readonly outcome: string;
  readonly device: string | null;
  readonly address: string | null;
  /** Of a sign-in, how it was made; null for all else, and where it was made before this was kept. */
  readonly way: string | null;
  /** Name of the person who did it for the account, or in its name by a jump; null for the account itself. */
  readonly by: string | null;
};

/** The actions of the audit that have words of their own; every other is the last. */
export const securityEvents = [
  'session.sign-in',
  'session.second-factor',
  'session.recovery-code',
  'session.sign-out',
  'session.ended',
  'session.ended-others',
  'session.ended-by-other',
  'session.jump',
  'session.switch',
  'mfa.set-up',
  'mfa.reset',
  'mfa.recovery-codes',
  'password.changed',
  'password.link-asked',
  'account.link',
  'other',
] as const;

const known: ReadonlySet<string> = new Set(securityEvents);

/** Areas of the audit that are about signing in; the rest is about the product's data. */
const areas = '^(session|mfa|password|account)[.]';
/** The part of the log that is shown: all of it, the sign-ins with what belongs to them, or what was refused. */
export type SecurityLogPart = 'all' | 'sign-ins' | 'refused';
/** Ways in and out, and switches on the way. */
const signIns = ['session.sign-in', 'session.second-factor', 'session.recovery-code', 'session.jump', 'session.switch'];

export type SecurityLogPage = { readonly part: SecurityLogPart; readonly page: number; readonly size: number };

/**
 * A page of what happened to the sign-in of `account`, the newest first, and how much there is: what the account did
 * itself, also under a name that it had before, and what was tried in its name. Records of others are not there. Pages
 * count from 1. Throws STORE_DOWN.
 */
export type SecurityLog = (
  account: string,
  page: SecurityLogPage,
) => Promise<{ readonly events: readonly SecurityEvent[]; readonly total: number }>;

/**
 * Creates the function that reads a page of what happened to an account's own sign-in (sign-ins, passwords, second
 * factor) from the audit, the newest first.
 */
export const createSecurityLog =
  (store: Store): SecurityLog =>
  (account, { part, page, size }) =>
    store.run(async db => {
      const current = account.toLowerCase();
      const former = db.selectFrom('former_names').select('name').where(sql`lower(account)`, '=', current);
      const names = [current, ...(await former.execute()).map(({ name }) => name)];
      let own = db.selectFrom('audit').where(sql`lower(account)`, 'in', names).where('action', '~', areas);
      if (part === 'sign-ins') own = own.where('action', 'in', signIns);
      if (part === 'refused') own = own.where('outcome', '=', 'refused');
      const rows = await own
        .select(['id', 'at', 'action', 'outcome', 'device', 'address', 'actor as by'])
        .select(sql<string | null>`detail ->> 'way'`.as('way'))
        .orderBy('id', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute();
      const { total } = await own.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
      const events = rows.map(({ id, at, action, outcome, device, address, way, by }) => ({
        ...{ id: String(id), at, outcome, device, address, way, by },
        event: known.has(action) ? action : 'other',
      }));
      return { events, total: Number(total) };
    });
