import type { RuleSet } from '../../../shared/rules/address-rules.ts';
import type { Caller } from '../auth/caller.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Write } from '../tables.ts';
import type { Judges } from './judges.ts';
import { changeIpAccess, holdIpAccess, type IpAccess } from './state.ts';

/** Milliseconds in which rules that shut out their author are kept from inside, or those before come back. */
export const trialLasts = 10 * 60_000;

/** A change of the rules in its transaction: by whom, when, and from which address. */
export type Changing = {
  readonly trx: Write;
  readonly caller: Caller;
  readonly address: string;
  readonly now: Date;
  readonly judges: Judges;
};

/** True where rules would let somebody in from an address, once they hold. */
export function letsIn(
  judges: Judges,
  set: RuleSet,
  { userName }: Pick<Caller, 'userName'>,
  address: string,
  compiled = () => judges.compile(set),
): boolean {
  return !set.On || judges.isExempt(userName) || compiled().judge(address).isAllowed;
}

async function addSet({ trx, caller: { resellerId } }: Changing, set: RuleSet): Promise<number> {
  const row = { reseller_id: resellerId, rules: JSON.stringify(set), is_on: set.On, for_admins: set.Admins };
  return (await trx.insertInto('ip_access_sets').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

const isOnTrial = ({ row }: IpAccess): boolean => row.trial_until !== null;

/**
 * Saves the rules that are being changed. Those that shut out their author are saved on trial, where the author has said
 * so: until the end of the trial, which it gives, the author is let in by the rules before as well.
 * @throws {CloudError} 409 where nothing is changed, others changed more meanwhile, rules are on trial, or the author would
 * be shut out and has not said so
 */
export async function saveDraft(
  changing: Changing,
  { version, confirmed }: { readonly version: string; readonly confirmed: boolean },
): Promise<Date | null> {
  const { trx, caller, address, now, judges } = changing;
  const held = await holdIpAccess(trx, caller.resellerId);
  const { row, draft } = held;
  if (isOnTrial(held)) throw refuseConflict('RulesOnTrial');
  if (version !== String(row.draft_version)) throw refuseConflict('RulesChanged', { By: row.draft_author });
  if (!held.isChanged) throw refuseConflict('RulesUnchanged');
  const isOut = !letsIn(judges, draft, caller, address);
  if (isOut && !confirmed) throw refuseConflict('AuthorShutOut', { Address: address });
  const trialUntil = isOut ? new Date(now.getTime() + trialLasts) : null;
  await changeIpAccess(
    trx,
    { resellerId: caller.resellerId, caller, now },
    {
      action: isOut ? 'IP access changed on trial' : 'IP access changed',
      ...{ from: held.current, to: draft },
      row: {
        ...{ set_id: await addSet(changing, draft), before_id: row.set_id, draft: null },
        ...{ trial_until: trialUntil, trial_account: isOut ? caller.accountId : null },
      },
    },
  );
  return trialUntil;
}

/**
 * Ends a trial for good: its author says from an address that the new rules let in that they stay.
 * @throws {CloudError} 409 without a trial, for anybody else, and from outside
 */
export async function keepRules({ trx, caller, address, now, judges }: Changing): Promise<void> {
  const held = await holdIpAccess(trx, caller.resellerId);
  if (!isOnTrial(held)) throw refuseConflict('TrialOver');
  if (held.row.trial_account !== caller.accountId) throw refuseConflict('TrialOfOther');
  if (!letsIn(judges, held.current, caller, address)) throw refuseConflict('AddressOutside', { Address: address });
  const row = { trial_until: null, trial_account: null };
  await changeIpAccess(trx, { resellerId: caller.resellerId, caller, now }, { action: 'IP access kept', row });
}

/** Puts the rules before back in place of those on trial; without a caller because the trial is over. */
export async function takeBack(
  trx: Write,
  held: IpAccess,
  { caller, now }: { readonly caller?: Caller; readonly now: Date },
): Promise<void> {
  const { row, current, before } = held;
  await changeIpAccess(
    trx,
    { resellerId: row.reseller_id, now, ...(caller && { caller }) },
    {
      action: 'IP access taken back',
      ...{ from: current, to: before },
      row: { set_id: row.before_id, before_id: null, trial_until: null, trial_account: null },
    },
  );
}

/**
 * Puts the rules before back; those that held become the ones before, so that it can be undone in turn.
 * @throws {CloudError} 409 where there are none, and where they would shut out the caller
 */
export async function undoChange({ trx, caller, address, now, judges }: Changing): Promise<void> {
  const held = await holdIpAccess(trx, caller.resellerId);
  const { row, current, before } = held;
  if (isOnTrial(held)) return takeBack(trx, held, { caller, now });
  if (row.set_id === null && row.before_id === null) throw refuseConflict('RulesBeforeMissing');
  if (!letsIn(judges, before, caller, address)) throw refuseConflict('AuthorShutOut', { Address: address });
  await changeIpAccess(
    trx,
    { resellerId: caller.resellerId, caller, now },
    {
      action: 'IP access changed back',
      ...{ from: current, to: before },
      row: { set_id: row.before_id, before_id: row.set_id },
    },
  );
}

/** Permits to let everybody in for a time. @throws {CloudError} 409 while rules are on trial, off or paused */
export function permitPause(held: IpAccess): void {
  if (isOnTrial(held)) throw refuseConflict('RulesOnTrial');
  if (!held.current.On || held.row.paused_until !== null) throw refuseConflict('RulesNotInForce');
}

/** Lets everybody in until a moment, or, without one, has the rules count again. */
export async function pauseRules({ trx, caller, address, now, judges }: Changing, until: Date | null): Promise<void> {
  const held = await holdIpAccess(trx, caller.resellerId);
  if (until !== null) permitPause(held);
  else if (!letsIn(judges, held.current, caller, address)) throw refuseConflict('AuthorShutOut', { Address: address });
  const action = until === null ? 'IP access resumed' : 'IP access paused';
  await changeIpAccess(trx, { resellerId: caller.resellerId, caller, now }, { action, row: { paused_until: until } });
}
