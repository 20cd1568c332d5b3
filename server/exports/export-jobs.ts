import { setTimeout as sleep } from 'node:timers/promises';
import { PortalError } from '../errors.ts';
import { type Caller, sessionOf, traceOf } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import type { ExportFailure, ExportFiles } from '../store/export-files.ts';
import type { Store } from '../store/store.ts';
import type { Cell } from './cell.ts';
import { type ExportFormat, formats } from './formats.ts';
import type { OpenTable } from './table-export.ts';

/** Bytes of a file at most, and of the parts in which it is kept. */
const mostBytes = 32 * 1024 * 1024;
const partBytes = 256 * 1024;
/** Files that a process makes at once; others wait for their turn. */
const mostTogether = 2;
/** Milliseconds between two notes of how far a file has come. */
const noteEvery = 1000;

/** What a file is made of: the table, already open, and where it stands. */
export type ExportRequest = {
  readonly table: OpenTable;
  readonly format: ExportFormat;
  /** Address of the screen, and name of the table on it. */
  readonly path: string;
  readonly tableId: string;
  /** Stops the reading of `table`. */
  readonly stop: AbortController;
};

/** Makes files in the background, in the name of the session that asked for them. */
export type ExportJobs = {
  /** Throws EXPORTS_BUSY where as many are being made for this person already, and STORE_DOWN. */
  start(caller: Caller, request: ExportRequest): Promise<void>;
  /** Stops what is being made; it counts as failed. */
  close(): Promise<void>;
};

type Parts = {
  readonly services: Services;
  readonly files: ExportFiles;
  readonly store: Pick<Store, 'announce'>;
};

/** Why a file is not made; undefined where nobody wants it any more. */
class ExportStopped extends Error {
  readonly reason: ExportFailure | undefined;

  constructor(reason: ExportFailure | undefined) {
    super(reason ?? 'taken away');
    this.reason = reason;
  }
}

function reasonOf(error: unknown): ExportFailure | undefined {
  if (error instanceof ExportStopped) return error.reason;
  if (!(error instanceof PortalError) || error.code === 'STORE_DOWN') return 'stopped';
  return ['SESSION_ENDED', 'NOT_PERMITTED', 'NOT_FOUND'].includes(error.code) ? 'refused' : 'cloud';
}

/**
 * Creates the background jobs of this process that make export files of long tables. A job that the process's end
 * interrupts counts as failed; no file is left half made.
 */
export function createExportJobs({ services, files, store }: Parts): ExportJobs {
  const running = new Map<AbortController, { readonly session: string; readonly made: Promise<void> }>();
  const waiting: (() => void)[] = [];
  let free = mostTogether;

  const stopListening = services.sessions.onChange(change => {
    if (change.kind !== 'ended' && change.kind !== 'replaced') return;
    for (const [stop, { session }] of running) if (session === change.key) stop.abort(new ExportStopped('refused'));
  });

  const takeTurn = async (): Promise<void> => {
    if (free === 0) await new Promise<void>(resolve => waiting.push(resolve));
    else free -= 1;
  };
  const giveTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  async function make(id: string, tell: () => void, { table, format, stop }: ExportRequest): Promise<void> {
    const { write, mostRows } = formats[format];
    if ((table.total ?? 0) > mostRows) throw new ExportStopped('rows');
    let rows = 0;
    let noted = Date.now();
    /** Keeps the file alive, and tells how far it has come. */
    const note = async (): Promise<void> => {
      noted = Date.now();
      if (!(await files.note(id, rows))) throw new ExportStopped(undefined);
      tell();
    };
    async function* counted(): AsyncGenerator<readonly (readonly Cell[])[]> {
      for await (const page of table.pages) {
        rows += page.length;
        if (rows > mostRows) throw new ExportStopped('rows');
        if (Date.now() - noted >= noteEvery) await note();
        yield page;
      }
      await note();
    }
    let [bytes, part] = [0, 0];
    let held: Buffer[] = [];
    let heldBytes = 0;
    const keep = async (): Promise<void> => {
      if (!(await files.addPart(id, part++, Buffer.concat(held)))) throw new ExportStopped(undefined);
      [held, heldBytes] = [[], 0];
    };
    const written = await write({ titles: table.titles, pages: counted() }, table.title);
    for await (const chunk of Buffer.isBuffer(written) ? slicesOf(written) : written) {
      stop.signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > mostBytes) throw new ExportStopped('bytes');
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes >= partBytes) await keep();
    }
    await keep();
    await files.finish(id, { rows, bytes });
  }

  async function run(id: string, session: string, request: ExportRequest): Promise<void> {
    const tell = (): void => void store.announce(async () => ({ kind: 'exports', session })).catch(() => undefined);
    // While it waits its process still lives.
    const alive = setInterval(() => void files.note(id, 0).catch(() => undefined), 15_000);
    await takeTurn();
    clearInterval(alive);
    try {
      request.stop.signal.throwIfAborted();
      await make(id, tell, request);
    } catch (error) {
      const { aborted, reason: told } = request.stop.signal;
      const reason = reasonOf(aborted ? told : error);
      if (reason !== undefined) {
        services.log.info({ export: id, reason, cause: (error as Error).message }, 'a file could not be made');
        await files
          .fail(id, reason)
          .catch((cause: Error) => services.log.warn({ reason: cause.message }, 'a failed file could not be noted'));
      }
    } finally {
      request.stop.abort();
      giveTurn();
      tell();
    }
  }

  return {
    async start(caller, request) {
      const session = sessionOf({ caller });
      const { table, format, path, tableId, stop } = request;
      const id = await files.begin({
        ...{ owner: caller.principal.facts.identity, session: session.key, title: table.title, format, path },
        ...{ table_id: tableId, columns: JSON.stringify(table.paths) },
        sight: caller.principal.sight ?? null,
        total: table.isExact ? (table.total ?? null) : null,
      });
      if (id === undefined) throw new PortalError('EXPORTS_BUSY');
      const detail = { table: tableId, format, rows: table.total ?? 0 };
      await services.audit({ action: 'export.started', outcome: 'done', ...traceOf(caller), detail });
      const made = run(id, session.key, request).finally(() => running.delete(stop));
      running.set(stop, { session: session.key, made });
    },
    async close() {
      stopListening();
      for (const stop of running.keys()) stop.abort(new ExportStopped('stopped'));
      for (const next of waiting.splice(0)) next();
      const over = Promise.all([...running.values()].map(({ made }) => made));
      await Promise.race([over, sleep(2000, undefined, { ref: false })]);
    },
  };
}

function* slicesOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += partBytes) yield file.subarray(at, at + partBytes);
}
