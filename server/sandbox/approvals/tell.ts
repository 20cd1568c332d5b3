import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import type { Act } from '../http/act.ts';
import { sendHintToAccounts } from '../notifications/hints.ts';
import { notify } from '../notifications/store.ts';
import type { Category } from '../notifications/tables.ts';
import type { Write } from '../tables.ts';
import { mayApprove } from './approvers.ts';
import type { ActKind } from './kinds.ts';

/** The names of the kinds of acts in activity and notifications. */
const words: Readonly<Record<ActKind, string>> = {
  BulkOrder: 'Order for many customers',
  CustomerDeletion: 'Deletion of a customer',
  DemandEased: 'Weaker demand of approval',
  RoleWidening: 'More rights',
};
const wordOf = ({ kind }: Act): string => words[kind as ActKind] ?? kind;

/** An act that waits or was decided. */
export type KeptAct = {
  readonly id: number;
  readonly reseller_id: number;
  readonly act: Act;
  readonly asker_id: number | null;
  readonly asker: string;
};

/** The outcomes of acts, each with its name in the activity and the category of its notification. */
const outcomes = {
  Asked: { action: 'Approval asked', category: 'warning' },
  Approved: { action: 'Approved', category: 'success' },
  Refused: { action: 'Approval refused', category: 'danger' },
  Withdrawn: { action: 'Approval withdrawn', category: 'info' },
  Expired: { action: 'Approval expired', category: 'warning' },
  Outdated: { action: 'Approval outdated', category: 'danger' },
} as const satisfies Readonly<Record<string, { readonly action: string; readonly category: Category }>>;

/**
 * Tells what became of an act, in the transaction that did it: in the activity of the reseller, to those who can approve
 * when it is asked for, and to whoever asked when others have decided. Pages that show what waits are read anew.
 * @param caller who did it; absent: the calendar
 */
export async function tellOutcome(
  trx: Write,
  { id, reseller_id: resellerId, act, asker_id, asker }: KeptAct,
  outcome: keyof typeof outcomes,
  { caller, now, reason = '' }: { readonly caller?: Caller; readonly now: Date; readonly reason?: string },
): Promise<void> {
  const { action, category } = outcomes[outcome];
  const isAbout = outcome === 'Asked' ? wordOf(act) : `${wordOf(act)}, asked by ${asker}`;
  const { before, after } = act;
  await recordActivity(trx, { resellerId }, caller, now, {
    ...{ action, target: act.target, detail: reason === '' ? isAbout : `${isAbout}: ${reason}`, before, after },
    // Rights of others are seen by those who manage them.
    views: act.kind === 'RoleWidening' ? ['manageUsers'] : [],
  });
  const { rows: deciders } = await sql<{ id: number }>`
    select a.id from accounts a join account_permissions p on p.account_id = a.id
    where ${mayApprove(resellerId)} and a.id is distinct from ${asker_id}`.execute(trx);
  const told = outcome === 'Asked' ? deciders.map(({ id }) => id) : asker_id === null ? [] : [asker_id];
  if (told.length > 0 && outcome !== 'Withdrawn') {
    const by = caller ? `${action} by ${caller.displayName}` : action;
    const note = {
      ...{ service_name: wordOf(act), message: `${by}: ${act.target}` },
      content: `${by}: ${wordOf(act)}, ${act.target}${reason === '' ? '' : `. ${reason}`}`,
      ...{ category, approval_id: id },
    };
    await notify(trx, told, note, now);
  }
  const watching = [...deciders.map(({ id }) => id), ...(asker_id === null ? [] : [asker_id])];
  await sendHintToAccounts(trx, watching, { kind: 'notification' });
}
