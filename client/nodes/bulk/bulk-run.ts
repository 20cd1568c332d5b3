import type { Effect, TableNode } from '../../../shared/language/types.ts';
import { refusedOutcome, sendCall } from '../../runtime/effects/calls.ts';
import type { Press, PressOutcome } from '../../runtime/effects/press.ts';
import type { Answer } from '../../runtime/state/post-call.ts';
import { type Row, withRow } from '../../runtime/state/scope.ts';

export type BulkAction = NonNullable<TableNode['bulk']>[number];

/** How it went with one row; `reason` says why it did not. */
export type RowResult = {
  readonly state: 'waiting' | 'running' | 'done' | 'undone' | 'failed' | 'unknown';
  readonly reason?: string;
};

/** Results by the keys of their rows. */
export type RowResults = ReadonlyMap<string, RowResult>;

/** Calls at the same time. */
const atOnce = 4;
/** Milliseconds to wait when the portal says that there are too many requests, try by try. */
const pauses = [2_000, 5_000, 10_000, 20_000, 30_000];

export type Job = {
  readonly rows: readonly Row[];
  readonly effects: readonly Effect[];
  /** What a row is when its call has succeeded. */
  readonly reached: 'done' | 'undone';
  readonly press: Press;
  isStopped(): boolean;
  onResult(row: Row, result: RowResult): void;
};

/**
 * Runs an action on several rows: a call for each row, a few at the same time. Ends when every row has an answer, or,
 * once stopped, when the calls under way have one; then reads once again what the replies say is stale.
 */
export async function runJob(job: Job): Promise<void> {
  const { rows, press, reached, isStopped, onResult } = job;
  const stale = new Set<string>();
  let next = 0;
  async function work(): Promise<void> {
    while (next < rows.length && !isStopped()) {
      const row = rows[next] as Row;
      next += 1;
      onResult(row, { state: 'running' });
      const outcome = await callFor(row, job, stale);
      const reason = outcome.unknown ?? outcome.failure;
      if (outcome.done) onResult(row, { state: reached });
      else onResult(row, { state: outcome.unknown ? 'unknown' : 'failed', ...(reason && { reason }) });
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, work));
  if (stale.size > 0) press.portal.host.refreshOperations([...stale]);
}

async function callFor(row: Row, { effects, press }: Job, stale: Set<string>): Promise<PressOutcome> {
  const [effect] = effects;
  if (effect?.do !== 'call') return { done: true };
  const rowPress = { ...press, scope: withRow(press.scope, row) };
  const send = async (): Promise<Answer> => {
    const answer = await sendCall(effect, rowPress);
    for (const one of answer.envelope.effects ?? [])
      if (one.do === 'refresh-operations') for (const name of one.operations) stale.add(name);
    return answer;
  };
  let answer = await send();
  for (const pause of pauses) {
    if (answer.envelope.Resources?.code !== 'TOO_MANY') break;
    await new Promise(resolve => setTimeout(resolve, pause));
    answer = await send();
  }
  return answer.envelope.Succeed ? { done: true } : refusedOutcome(effect, answer, rowPress);
}
