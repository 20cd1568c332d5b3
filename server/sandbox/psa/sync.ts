import { type ExpressionBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { connectionOf, psaAddress } from './connection.ts';
import { PsaFailure } from './http.ts';
import { psaProducts } from './products.ts';
import type { PsaContract, PsaRecord } from './records.ts';
import type { CopyKind, Kind, SyncStatus } from './tables.ts';

/** Milliseconds that a copy is good for. */
export const copyLife = 60 * 60_000;
/** Of its life, after which it is taken again (document 2, section 9). */
const expiryFactor = 0.75;
/** Milliseconds for which a list that was just read from the business system is as good as one read now. */
const justRead = 3000;
/** Milliseconds after which one that is still running was lost with its process. */
const lost = 10 * 60_000;

export const kinds: readonly Kind[] = ['customers', 'services'];
export const copyKinds: readonly CopyKind[] = [...kinds, 'contracts'];

/** Gives the word for a synchronisation status in replies (document 2, section 3). */
export function toReplyStatus(status: SyncStatus): 'completed' | 'in progress' | 'unknown' {
  if (status === 'Completed') return 'completed';
  return status === 'New' || status === 'Running' ? 'in progress' : 'unknown';
}

/** Gives one status for several synchronisations: in progress while any is, completed when all are. */
function combineStatuses(all: readonly (SyncStatus | undefined)[]): ReturnType<typeof toReplyStatus> {
  const written = all.map(status => toReplyStatus(status ?? 'NotSynchronized'));
  if (written.includes('in progress')) return 'in progress';
  return written.every(status => status === 'completed') ? 'completed' : 'unknown';
}

/** True when a copy of business-system data is so old, or missing, that it must be made again. */
export const isDue = (completed: Date | null, now: Date): boolean =>
  completed === null || now.getTime() - completed.getTime() >= copyLife * expiryFactor;

export type PsaSync = {
  /** Asks for a new copy, once however often it is asked. */
  request(resellerId: number, kinds: readonly CopyKind[], type: 'Manual' | 'Setup'): Promise<void>;
  /** Takes the copy now, unless that was just done. Throws a PsaFailure. */
  readThrough(resellerId: number, kind: CopyKind): Promise<void>;
  /** Takes a copy that begins now, however lately one was taken. Throws a PsaFailure. */
  readAnew(resellerId: number, kind: CopyKind): Promise<void>;
  /** Takes every copy that was asked for. */
  runDue(): Promise<void>;
};

/**
 * Creates the synchronisation that copies customers, services and contracts of business systems into the sandbox.
 * @param own gives the sandbox's own address, which its stand-ins answer at
 */
export function createPsaSync(db: Database, own: () => string, now: () => Date): PsaSync {
  const flights = new Map<string, Promise<void>>();

  const mark = (resellerId: number, kind: CopyKind, set: object) =>
    db.updateTable('psa_syncs').set(set).where('reseller_id', '=', resellerId).where('kind', '=', kind).execute();

  /** Tells the reseller's own people, through the hub, that a synchronisation began or ended. */
  const hint = (reseller: number) => sendHint(db, { reseller, customer: '' }, { kind: 'psa-synchronised' });

  async function take(resellerId: number, kind: CopyKind): Promise<void> {
    const connection = await connectionOf(db, resellerId);
    if (!connection) return;
    try {
      const address = psaAddress(connection, own());
      const client = psaProducts[connection.product];
      if (kind === 'contracts') {
        const contracts = await client.readContracts(address, now());
        await store(db, resellerId, kind, now(), trx => storeContracts(trx, resellerId, contracts));
      } else {
        const records = await client.read(address, kind);
        await store(db, resellerId, kind, now(), trx => storeRecords(trx, resellerId, kind, records));
      }
      await setState(db, resellerId, 'completed');
      await hint(resellerId);
    } catch (error) {
      if (!(error instanceof PsaFailure)) throw error;
      await mark(resellerId, kind, { status: 'Failed', failure: error.message });
      await setState(db, resellerId, error.isRefused ? 'invalid' : 'failed');
      await hint(resellerId);
      throw error;
    }
  }

  /** One reading at a time, which all that ask meanwhile wait for. */
  function takeOnce(resellerId: number, kind: CopyKind): Promise<void> {
    const key = `${resellerId} ${kind}`;
    let flight = flights.get(key);
    if (!flight) {
      flight = take(resellerId, kind).finally(() => flights.delete(key));
      flights.set(key, flight);
    }
    return flight;
  }

  /** One that is being taken may have read what has changed since, and may have said already that it is complete. */
  async function takeAnew(resellerId: number, kind: CopyKind): Promise<void> {
    await flights.get(`${resellerId} ${kind}`)?.catch(() => {});
    await takeOnce(resellerId, kind);
  }

  /** Says that a copy which was asked for is being taken. Gives false when another has said so, or has taken it. */
  async function claim(resellerId: number, kind: CopyKind): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('psa_syncs')
      .set({ status: 'Running', started: now() })
      .where('reseller_id', '=', resellerId)
      .where('kind', '=', kind)
      .where(isWaiting)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  const isWaiting = (on: ExpressionBuilder<Tables, 'psa_syncs'>) =>
    on.or([
      on('status', '=', 'New'),
      on.and([on('status', '=', 'Running'), on('started', '<', new Date(now().getTime() - lost))]),
    ]);

  return {
    async request(resellerId, wanted, type) {
      const { numUpdatedRows } = await db
        .updateTable('psa_syncs')
        .set({ status: 'New', type })
        .where('reseller_id', '=', resellerId)
        .where('kind', 'in', wanted)
        .where('status', 'not in', ['New', 'Running'])
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await hint(resellerId);
    },
    async readThrough(resellerId, kind) {
      const sync = await readSync(db, resellerId, kind);
      if (sync?.status === 'Completed' && sync.completed && now().getTime() - sync.completed.getTime() < justRead)
        return;
      await takeOnce(resellerId, kind);
    },
    readAnew: takeAnew,
    async runDue() {
      const waiting = await db.selectFrom('psa_syncs').select(['reseller_id', 'kind']).where(isWaiting).execute();
      for (const { reseller_id, kind } of waiting) {
        if (!(await claim(reseller_id, kind))) continue;
        await takeAnew(reseller_id, kind).catch((error: unknown) => {
          // Written down with the sync.
          if (!(error instanceof PsaFailure)) throw error;
        });
      }
    },
  };
}

/**
 * Reads the state of the last copy of a kind (customers, services, contracts) for a reseller; undefined before the
 * first.
 */
export const readSync = (db: Database, resellerId: number, kind: CopyKind) =>
  db
    .selectFrom('psa_syncs')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .executeTakeFirst();

/** Gives one status for all copies of a reseller's business system. */
export async function syncStatusOf(db: Database, { resellerId }: Pick<Caller, 'resellerId'>) {
  const syncs = await Promise.all(copyKinds.map(kind => readSync(db, resellerId, kind)));
  return combineStatuses(syncs.map(sync => sync?.status));
}

/** Gives a response in the form of a PSA reply, with the state of the copies beside it. */
export const withStatus = async <R>(db: Database, caller: Caller, response: R) => ({
  response,
  synchronization: { status: await syncStatusOf(db, caller) },
});

const setState = (db: Database, resellerId: number, state: 'completed' | 'failed' | 'invalid') =>
  db.updateTable('psa_connections').set({ state }).where('reseller_id', '=', resellerId).execute();

/** Makes the copy what the business system has now. */
async function store(db: Database, resellerId: number, kind: CopyKind, now: Date, fill: (trx: Write) => Promise<void>) {
  await db.transaction().execute(async trx => {
    // Two processes that took it at the same time: one after the other.
    await trx
      .updateTable('psa_syncs')
      .set({ status: 'Completed', completed: now, failure: null })
      .where('reseller_id', '=', resellerId)
      .where('kind', '=', kind)
      .execute();
    await fill(trx);
  });
}

async function storeRecords(trx: Write, resellerId: number, kind: Kind, records: readonly PsaRecord[]): Promise<void> {
  // Of thousands few have changed since.
  await sql`
    with read as materialized (
      select distinct on (id) id, name, price
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (id text, name text, price numeric)
    ), gone as (
      delete from psa_records k
      where reseller_id = ${resellerId} and kind = ${kind} and not exists (select from read where read.id = k.id)
    )
    insert into psa_records as k (reseller_id, kind, id, name, price)
    select ${resellerId}::int, ${kind}::text, id, name, price from read
    on conflict (reseller_id, kind, id) do update set name = excluded.name, price = excluded.price
    where (k.name, k.price) is distinct from (excluded.name, excluded.price)`.execute(trx);
}

async function storeContracts(trx: Write, resellerId: number, contracts: readonly PsaContract[]): Promise<void> {
  const rows = JSON.stringify(contracts);
  await trx.deleteFrom('psa_contracts').where('reseller_id', '=', resellerId).execute();
  await sql`
    insert into psa_contracts (reseller_id, id, name, customer)
    select ${resellerId}::int, id, name, customer
    from jsonb_to_recordset(${rows}::jsonb) as c (id text, name text, customer text)
    on conflict do nothing`.execute(trx);
  await sql`
    insert into psa_lines (reseller_id, contract, service, quantity, line, since, cost)
    select ${resellerId}::int, c.id, l.service, sum(l.quantity), case when count(*) = 1 then min(l.id) end, max(l.since),
      case when count(*) = count(l.cost) and min(l.cost) = max(l.cost) then min(l.cost) end
    from jsonb_to_recordset(${rows}::jsonb) as c (id text, lines jsonb),
      jsonb_to_recordset(c.lines) as l (id text, service text, quantity numeric, since timestamptz, cost numeric)
    group by c.id, l.service`.execute(trx);
}
