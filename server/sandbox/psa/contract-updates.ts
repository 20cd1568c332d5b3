import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { CloudError } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import { date, id, integer, orNull } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import type { Database, Write } from '../tables.ts';
import { connectionOf, psaAddress } from './connection.ts';
import { type ContractPlan, isSameCost } from './contract-plan.ts';
import { PsaFailure } from './http.ts';
import { psaProducts } from './products.ts';
import type { PsaLine } from './records.ts';
import type { PsaSync } from './sync.ts';
import type { ContractChange, UpdateFailure, UpdateStatus } from './tables.ts';

/** Milliseconds without a word after which the worker of an update was lost with its process: longer than any call. */
const lostAfter = 120_000;

type Update = Awaited<ReturnType<typeof readUpdate>>;
type Outcome = { readonly status: UpdateStatus; readonly failure: UpdateFailure | null };
const changedThere: Outcome = { status: 'Changed', failure: 'ChangedThere' };

const readUpdate = (db: Database, id: number) =>
  db.selectFrom('psa_updates').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Finds the contract update that a press (its idempotency key) has begun; undefined for a new press. */
export const findUpdate = (db: Database, { accountId }: Caller, press: string) =>
  db
    .selectFrom('psa_updates')
    .select(['id', 'version', 'invoice_id'])
    .where('account_id', '=', accountId)
    .where('press', '=', press)
    .executeTakeFirst();

type NewUpdate = { readonly invoiceId: number; readonly press: string; readonly plan: ContractPlan; readonly at: Date };

/**
 * Records a planned contract update and who asked for it. Nothing is written to the business system yet.
 * @returns the id of the update, also where another request with the same press was first
 * @throws {CloudError} 409 Running while another update of the reseller is under way
 */
export async function beginUpdate(
  db: Database,
  caller: Caller,
  { invoiceId, press, plan, at }: NewUpdate,
): Promise<number> {
  const { resellerId: reseller_id, accountId: account_id, displayName, userType, actorName } = caller;
  return await db.transaction().execute(async trx => {
    const begun = await trx
      .insertInto('psa_updates')
      .values({
        ...{ reseller_id, account_id, invoice_id: invoiceId, press, version: plan.version, created: at },
        ...{ actor: displayName, actor_type: userType, real_actor: actorName ?? '' },
      })
      .onConflict(same => same.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!begun) {
      const known = await findUpdate(trx, caller, press);
      if (known) return known.id;
      throw new CloudError(409, 'Running', ['The business system is being updated already. Look at its result first.']);
    }
    await trx
      .insertInto('psa_update_rows')
      .values(
        plan.changes.map((change, position) => ({ update_id: begun.id, position, change: JSON.stringify(change) })),
      )
      .execute();
    return begun.id;
  });
}

export type PsaUpdates = {
  /** Writes what is left to write of an update; whoever asks meanwhile waits for the same. */
  run(id: number): Promise<void>;
  /** Goes on with updates whose process ended. */
  runLost(): Promise<void>;
};

/**
 * Creates the writer of contract updates to the business system. It reads each line before writing it and skips one
 * that is done or that somebody changed; so no line is written twice, even after a crash.
 * @param own gives the sandbox's own address, which its stand-ins answer at
 */
export function createPsaUpdates(db: Database, sync: PsaSync, own: () => string, now: () => Date): PsaUpdates {
  const running = new Map<number, Promise<void>>();
  const name = randomUUID();

  /** Takes an update, or says that it is still at it; false where another process has it. */
  async function beat(id: number): Promise<boolean> {
    const taken = await db
      .updateTable('psa_updates')
      .set({ worker: name, beat: now() })
      .where('id', '=', id)
      .where('finished', 'is', null)
      .where(on =>
        on.or([
          on('worker', 'is', null),
          on('worker', '=', name),
          on('beat', '<', new Date(now().getTime() - lostAfter)),
        ]),
      )
      .executeTakeFirst();
    return taken.numUpdatedRows > 0n;
  }

  async function work(id: number): Promise<void> {
    const update = await readUpdate(db, id);
    const waiting = await db
      .selectFrom('psa_update_rows')
      .select(['position', 'change'])
      .where('update_id', '=', id)
      .where('status', '=', 'Waiting')
      .orderBy('position')
      .execute();
    let unreachable: Outcome | undefined;
    for (const { position, change } of waiting) {
      if (!(await beat(id))) return;
      // Where it does not answer, or lets us in no more, each further line would only wait for the same.
      const outcome = unreachable ?? (await writeChange(update, change));
      if (outcome.failure === 'NoAnswer' || outcome.failure === 'Refused') unreachable = outcome;
      await db.transaction().execute(trx => recordOutcome(trx, update, position, change, outcome, now()));
    }
    if (!(await beat(id))) return;
    // The comparison is of what is there now.
    await sync.readAnew(update.reseller_id, 'contracts').catch((error: unknown) => {
      if (!(error instanceof PsaFailure)) throw error;
    });
    await db.updateTable('psa_updates').set({ finished: now() }).where('id', '=', id).execute();
    await sendHint(db, { reseller: update.reseller_id, customer: '' }, { kind: 'psa-synchronised' });
  }

  async function writeChange({ reseller_id }: Update, change: ContractChange): Promise<Outcome> {
    const connection = await connectionOf(db, reseller_id);
    if (!connection?.enabled) return { status: 'Failed', failure: 'Refused' };
    const client = psaProducts[connection.product];
    const address = psaAddress(connection, own());
    try {
      const lines = await client.readLines(address, change.contract, now());
      const of = lines.filter(({ service }) => service === change.product);
      const [line = null] = of;
      if (of.length > 1) return changedThere;
      if (isAs(line, change.after)) return { status: 'Written', failure: null };
      if (!isAs(line, change.before)) return changedThere;
      const { contract, product: service, after, from } = change;
      await client.writeLine(address, { contract, line, service, after, from });
      return { status: 'Written', failure: null };
    } catch (error) {
      if (!(error instanceof PsaFailure)) throw error;
      const failure = error.isRefused ? 'Refused' : error.isUnanswered ? 'NoAnswer' : 'Rejected';
      return { status: 'Failed', failure };
    }
  }

  const run = (id: number): Promise<void> => {
    let flight = running.get(id);
    if (!flight) {
      flight = work(id).finally(() => running.delete(id));
      running.set(id, flight);
    }
    return flight;
  };

  return {
    run,
    async runLost() {
      const lost = await db
        .selectFrom('psa_updates')
        .select('id')
        .where('finished', 'is', null)
        .where(on => on.or([on('beat', 'is', null), on('beat', '<', new Date(now().getTime() - lostAfter))]))
        .execute();
      for (const { id } of lost) await run(id);
    },
  };
}

/** Tells whether a line bills what a plan says. */
function isAs(line: PsaLine | null, billed: ContractChange['after']): boolean {
  if (!line || !billed) return !billed && (!line || line.quantity === 0);
  return line.quantity === billed.quantity && isSameCost(billed.cost, line.cost);
}

async function recordOutcome(
  trx: Write,
  update: Update,
  position: number,
  change: ContractChange,
  { status, failure }: Outcome,
  at: Date,
): Promise<void> {
  const first = await trx
    .updateTable('psa_update_rows')
    .set({ status, failure, settled: at })
    .where('update_id', '=', update.id)
    .where('position', '=', position)
    .where('status', '=', 'Waiting')
    .executeTakeFirst();
  if (first.numUpdatedRows === 0n || status !== 'Written' || change.organisation === null) return;
  const customer = await trx
    .selectFrom('customers')
    .select('id')
    .where('organisation_id', '=', Number(change.organisation))
    .where('reseller_id', '=', update.reseller_id)
    .executeTakeFirst();
  if (!customer) return;
  const { actor: displayName, actor_type, real_actor } = update;
  const by = { displayName, userType: actor_type as Caller['userType'], actorName: real_actor || null };
  // Without prices: the activity has none.
  await recordActivity(trx, customer.id, by, at, {
    ...{ action: 'Contract updated', target: change.service, detail: change.contractName },
    before: change.before ? `Quantity: ${change.before.quantity}` : '',
    after: change.after ? `Quantity: ${change.after.quantity}` : '',
    views: ['billing', 'pSA'],
  });
}

const countOf = (...statuses: readonly UpdateStatus[]) =>
  sql`count(*) filter (where r.status = any(${statuses}::text[]))::int`;
/** Fields of an update `u`, with its lines as `r`. */
export const update = fields('u', [
  { name: 'Id', shape: id },
  { name: 'Created', shape: date },
  { name: 'By', column: 'actor' },
  { name: 'Finished', shape: orNull(date) },
  { name: 'Written', shape: integer, column: countOf('Written') },
  { name: 'NotWritten', shape: integer, column: countOf('Changed', 'Failed') },
  { name: 'Waiting', shape: integer, column: countOf('Waiting') },
]);

/** Lists the updates from an invoice, the newest first, and the lines of the newest. */
export async function readUpdates(db: Database, invoiceId: number) {
  const { rows } = await sql<RowOf<typeof update>>`
    select ${selected(update)}
    from psa_updates u join psa_update_rows r on r.update_id = u.id
    where u.invoice_id = ${invoiceId} group by u.id order by u.id desc limit 50`.execute(db);
  const [newest] = rows;
  const lines = newest
    ? await db
        .selectFrom('psa_update_rows')
        .select(['position', 'change', 'status', 'failure'])
        .where('update_id', '=', Number(newest.Id))
        .orderBy('position')
        .execute()
    : [];
  return { updates: rows, lines };
}

/**
 * Refuses a repeated press (idempotency key) that was for another contract update.
 * @throws {CloudError} 409
 */
export function requireSame(
  known: { readonly version: string; readonly invoice_id: number },
  version: string,
  invoiceId: number,
): void {
  if (known.version !== version || known.invoice_id !== invoiceId) throw refuseConflict('PressUsed');
}
