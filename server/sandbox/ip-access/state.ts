import { sql } from 'kysely';
import type { RuleSet } from '../../../shared/rules/address-rules.ts';
import type { Caller } from '../auth/caller.ts';
import type { State } from '../customers/activity.ts';
import { refuseConflict } from '../http/refusals.ts';
import { sendHintToAccounts } from '../notifications/hints.ts';
import { recordAccess } from '../roles/activity.ts';
import type { Database, Write } from '../tables.ts';
import type { IpAccessTable } from './tables.ts';

export const mostRules = 10_000;
/** The rules of who has none. */
const noRules: RuleSet = { On: false, Elsewhere: 'Refuse', Admins: false, Rules: [] };

/** The rules of a reseller: those that hold, those before, and those that are being changed. */
export type IpAccess = {
  readonly row: Omit<IpAccessTable, 'draft' | 'draft_version' | 'draft_author'> & {
    readonly draft_version: number;
    readonly draft_author: string;
  };
  readonly current: RuleSet;
  readonly before: RuleSet;
  readonly draft: RuleSet;
  readonly isChanged: boolean;
};

/** Reads the rules of a reseller. */
export async function readIpAccess(db: Database, resellerId: number): Promise<IpAccess> {
  const found = await db
    .selectFrom('ip_access as a')
    .leftJoin('ip_access_sets as s', 's.id', 'a.set_id')
    .leftJoin('ip_access_sets as b', 'b.id', 'a.before_id')
    .selectAll('a')
    .select(['s.rules as current', 'b.rules as before'])
    .where('a.reseller_id', '=', resellerId)
    .executeTakeFirst();
  const current = found?.current ?? noRules;
  const row = found ?? {
    ...{ reseller_id: resellerId, set_id: null, before_id: null, draft: null, draft_version: 0, draft_author: '' },
    ...{ trial_until: null, trial_account: null, paused_until: null },
  };
  const { draft } = row;
  return { row, current, before: found?.before ?? noRules, draft: draft ?? current, isChanged: draft !== null };
}

/** Reads the rules of a reseller and holds them until the transaction ends. */
export async function holdIpAccess(trx: Write, resellerId: number): Promise<IpAccess> {
  await sql`insert into ip_access (reseller_id) values (${resellerId}) on conflict do nothing`.execute(trx);
  await trx.selectFrom('ip_access').select('reseller_id').where('reseller_id', '=', resellerId).forUpdate().execute();
  return readIpAccess(trx, resellerId);
}

/**
 * Changes the rules that are not saved yet.
 * @throws {CloudError} 409 beyond as many rules as there may be
 */
export async function editDraft(trx: Write, caller: Caller, edit: (draft: RuleSet) => RuleSet): Promise<void> {
  const { resellerId, displayName } = caller;
  const { current, draft, row } = await holdIpAccess(trx, resellerId);
  const edited = edit(draft);
  if (edited.Rules.length > mostRules) throw refuseConflict('RulesFull', { Most: String(mostRules) });
  const isSame = JSON.stringify(edited) === JSON.stringify(current);
  await trx
    .updateTable('ip_access')
    .set({ draft: isSame ? null : JSON.stringify(edited) })
    .set({ draft_version: row.draft_version + 1, draft_author: displayName })
    .where('reseller_id', '=', resellerId)
    .execute();
}

/** Rules in words, by what they are about. */
function wordsOf({ On, Elsewhere, Admins, Rules }: RuleSet): State {
  return {
    'IP access': On ? 'On' : 'Off',
    'Everywhere else': Elsewhere,
    'Administrators of customers': Admins ? 'Included' : 'Not included',
    ...Object.fromEntries(Rules.map(({ Id, Does, Name, Note }) => [`Rule ${Id}`, `${Does} ${Name} ${Note}`.trim()])),
  };
}
/** At most so many differences are told in the activity. */
const mostWords = 40;

/** The words of two sets of rules that differ, the first of them where these are many. */
function differingWords(from: RuleSet, to: RuleSet): { readonly before: State; readonly after: State } {
  const [before, after] = [wordsOf(from), wordsOf(to)];
  const names = Object.keys({ ...before, ...after }).filter(name => before[name] !== after[name]);
  const first = (state: State): State =>
    Object.fromEntries(
      names.slice(0, mostWords).flatMap(name => (state[name] === undefined ? [] : [[name, state[name]]])),
    );
  return { before: first(before), after: first(after) };
}

type Change = {
  readonly action: string;
  /** The rules that held and that hold from now on, where these are others. */
  readonly from?: RuleSet;
  readonly to?: RuleSet;
  readonly row: Partial<
    Pick<IpAccessTable, 'set_id' | 'before_id' | 'trial_until' | 'trial_account' | 'paused_until'>
  > & {
    readonly draft?: null;
  };
};

/**
 * Writes what rules hold from now on, records it, and tells the browsers of everybody whom it may concern to look at
 * their rights again. Without a caller the cloud itself did it.
 */
export async function changeIpAccess(
  trx: Write,
  { resellerId, caller, now }: { readonly resellerId: number; readonly caller?: Caller; readonly now: Date },
  { action, from, to, row }: Change,
): Promise<void> {
  await trx.updateTable('ip_access').set(row).where('reseller_id', '=', resellerId).execute();
  await sql`
    delete from ip_access_sets s where s.reseller_id = ${resellerId}
      and not exists (select from ip_access a where s.id in (a.set_id, a.before_id))`.execute(trx);
  const event = { action, target: 'IP access', ...(from && to && differingWords(from, to)) };
  await recordAccess(trx, { resellerId, now, ...(caller && { caller }) }, event);
  const concerned = trx.selectFrom('accounts').select('id').where('reseller_id', '=', resellerId);
  const accounts = await concerned
    .where(({ or, eb }) => or([eb('customer_id', 'is', null), eb('user_type', '=', 'endUserAdmin')]))
    .execute();
  await sendHintToAccounts(
    trx,
    accounts.map(({ id }) => id),
    { kind: 'permissions-changed' },
  );
}
