import { type Caller, findCaller } from '../auth/caller.ts';
import type { Acts, AskedCall } from '../http/acts.ts';
import { CloudError, notFound, notPermitted } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseConflict } from '../http/refusals.ts';
import { withTablesOf } from '../limits/with-tables-of.ts';
import { inSavepoint } from '../savepoint.ts';
import type { Database, Write } from '../tables.ts';
import { type KeptAct, tellOutcome } from './tell.ts';

type Deciding = { readonly trx: Write; readonly caller: Caller; readonly now: Date };

/**
 * Finds an act of the caller's reseller that waits, and holds it: of two who decide at once the second waits here.
 * @param isOwn true: only one that the caller asked for
 * @throws {CloudError} 404, and 409 where it was decided before
 */
async function holdWaiting({ trx, caller }: Deciding, approvalId: string, isOwn = false) {
  const found = await trx
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', idOf(approvalId))
    .where('reseller_id', '=', caller.resellerId)
    .$if(isOwn, own => own.where('asker_id', '=', caller.accountId))
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (found.state !== 'Waiting' || found.asked === null) throw refuseConflict('ActDecided');
  return { ...found, asked: found.asked };
}

/** As `holdWaiting`, for somebody else than the one who asked. */
async function holdOfAnother(deciding: Deciding, approvalId: string) {
  const found = await holdWaiting(deciding, approvalId);
  if (found.asker_id === deciding.caller.accountId) throw refuseConflict('ActOwn');
  return found;
}

type Ended = 'Approved' | 'Refused' | 'Withdrawn' | 'Outdated' | 'Expired';

/** Ends what waits, and tells that. Its call is forgotten: only what it meant is kept. */
export async function endAct(
  { trx, caller, now }: Omit<Deciding, 'caller'> & { readonly caller?: Caller },
  kept: KeptAct,
  state: Ended,
  reason = '',
): Promise<void> {
  await trx
    .updateTable('approvals')
    .set({ state, reason, asked: null, decided: now })
    .set({ decider: caller?.displayName ?? '', decider_id: caller?.accountId ?? null })
    .where('id', '=', kept.id)
    .execute();
  await tellOutcome(trx, kept, state, { ...(caller && { caller }), now, reason });
}

/** Reads the asker as they are now. */
async function findAsker(trx: Write, grantId: string): Promise<Caller> {
  const asker = await findCaller(trx, grantId);
  if (!asker?.enabled || !asker.hasPermissions) throw notPermitted();
  return asker;
}

/** Tells whoever asked why an act could not be carried out as it was asked. */
function reasonOf({ status, messages }: CloudError, asker: string): string {
  if (status === 404) return 'It is not there any more.';
  if (status === 403) return `${asker} may not do this any more.`;
  return messages[0] ?? 'What it would do or cost has changed.';
}

/**
 * Carries out an act that waits, with the handler of its route and in the name of whoever asked, in the transaction of
 * the approval. All is checked as it is now: the rights of both (the approver must be able to do the act), what it is done
 * to, and that it means and costs what was shown; what does not hold any more ends as outdated, and can be asked anew.
 * @throws {CloudError} 404; 409 for the caller's own act, one that was decided, one that the caller may not do, and one
 * that is outdated
 */
export async function approve(db: Database, acts: Acts, caller: Caller, approvalId: string, now: Date): Promise<void> {
  const isDone = await db.transaction().execute(async trx => {
    const deciding = { trx, caller, now };
    const found = await holdOfAnother(deciding, approvalId);
    const { act, asked, asker } = found;
    const approver = await inSavepoint(trx, () => tryOut(acts, trx, { ...caller, approved: act }, asked), isRefusal);
    const outcome = await inSavepoint(
      trx,
      async () => {
        const account = await findAsker(trx, found.asker_grant);
        await withTablesOf(trx, account, () => run(acts, trx, { ...account, approved: act }, asked));
      },
      isRefusal,
    );
    if ('refused' in outcome) {
      await endAct(deciding, found, 'Outdated', reasonOf(outcome.refused as CloudError, asker));
      return false;
    }
    if ('refused' in approver && approver.refused !== wouldDo) throw refuseConflict('ActBeyondRights');
    await endAct(deciding, found, 'Approved');
    return true;
  });
  if (!isDone) throw refuseConflict('ActOutdated');
}

const isRefusal = (error: unknown): boolean => error instanceof CloudError;
/** Takes back what was done to find out whether it could be. */
const wouldDo = new CloudError(409, 'TriedOut');

async function tryOut(acts: Acts, trx: Write, caller: Caller, asked: AskedCall): Promise<never> {
  await run(acts, trx, caller, asked);
  throw wouldDo;
}

async function run(acts: Acts, trx: Write, caller: Caller, asked: AskedCall): Promise<void> {
  const route = acts.routes.get(asked.route);
  if (!route) throw notFound();
  if (!route.isOpenTo(caller, asked.params)) throw notPermitted();
  await route.run(trx, caller, asked);
}

/**
 * Refuses an act that waits.
 * @throws {CloudError} as `approve`
 */
export async function refuseAct(deciding: Deciding, approvalId: string, reason: string): Promise<void> {
  await endAct(deciding, await holdOfAnother(deciding, approvalId), 'Refused', reason);
}

/**
 * Withdraws an act of the caller's own that waits.
 * @throws {CloudError} 404 for one of somebody else, 409 where it was decided
 */
export async function withdrawAct(deciding: Deciding, approvalId: string): Promise<void> {
  await endAct(deciding, await holdWaiting(deciding, approvalId, true), 'Withdrawn');
}
