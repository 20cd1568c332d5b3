import { Worker } from 'node:worker_threads';
import { PortalError } from './errors.ts';

/** A thread for work that costs the processor so much that nobody would be answered meanwhile. */
export type Thread = {
  /** Does one piece of work. Throws BUSY where too much waits already or the thread ends, else what the work throws. */
  run(input: unknown): Promise<unknown>;
  close(): Promise<void>;
};

export type ThreadOptions = {
  /** Names it in the log. */
  readonly name: string;
  /** CommonJS that leaves a function `work`, from an input to its answer, also later; `data` is what is given to it. */
  readonly program: string;
  readonly data?: unknown;
  /** Pieces of work that wait at most. */
  readonly most: number;
};

type Waiting = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };
type Told = { readonly id: number; readonly answer?: unknown; readonly failure?: string };

const frame = (program: string): string => `
const { parentPort, workerData: data } = require('node:worker_threads');
// Linux has a priority for each thread: whoever waits for a page comes before whoever waits for a file.
if (process.platform === 'linux') {
  const { getPriority, setPriority } = require('node:os');
  setPriority(Math.max(10, getPriority()));
}
${program}
parentPort.on('message', async ({ id, input }) => {
  try {
    parentPort.postMessage({ id, answer: await work(input) });
  } catch (error) {
    parentPort.postMessage({ id, failure: String(error?.stack ?? error) });
  }
});`;

/** Creates a thread, which starts with its first work and keeps no process from ending while it has none. */
export function createThread({ name, program, data, most }: ThreadOptions): Thread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;

  const failAll = (error: Error): void => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  const hear = (started: Worker, { id, answer, failure }: Told): void => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) started.unref();
    if (failure === undefined) found?.resolve(answer);
    else found?.reject(new Error(`${name}: ${failure}`));
  };

  const start = (): Worker => {
    // Plain JavaScript: what the process loads its own sources with has no place here.
    const started = new Worker(frame(program), { eval: true, execArgv: [], workerData: data });
    started.on('message', (told: Told) => hear(started, told));
    let reason = new Error(`${name}: the thread has ended`);
    started.on('error', error => {
      reason = error as Error;
    });
    started.on('exit', () => worker === started && failAll(reason));
    return started;
  };

  return {
    async run(input) {
      if (waiting.size >= most) throw new PortalError('BUSY', { detail: name });
      worker ??= start();
      const id = ++last;
      const done = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.ref();
      worker.postMessage({ id, input });
      return done;
    },
    async close() {
      const ended = worker?.terminate();
      failAll(new PortalError('BUSY', { detail: 'the portal stops' }));
      await ended;
    },
  };
}
