import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { scoring } from '../../shared/rules/password-score.ts';
import { PortalError } from '../errors.ts';
import type { Rate } from './rate-limit.ts';

/** Scores passwords in a thread of its own: a long one costs 40 to 60 ms of the processor, in which nobody is answered. */
export type PasswordScores = {
  /**
   * Estimates how hard a password is to guess, 0 to 4 (document 1, section 5). `caller` is the account or network that
   * asks. Throws TOO_MANY when that has had its share, BUSY when too many of all callers wait.
   */
  score(password: string, caller: string): Promise<number>;
  close(): Promise<void>;
};

/** Passwords that wait at most: one second of the thread. */
const mostWaiting = 20;

const require = createRequire(import.meta.url);

const program = `
const { parentPort, workerData: { packages: [core, common, english], longest, l33tMaxSubstitutions } } = require('node:worker_threads');
const { ZxcvbnFactory } = require(core);
const { dictionary, adjacencyGraphs: graphs } = require(common);
const factory = new ZxcvbnFactory({
  dictionary: { ...dictionary, ...require(english).dictionary },
  graphs,
  l33tMaxSubstitutions,
});
parentPort.on('message', ({ id, password }) => {
  parentPort.postMessage({ id, score: factory.check([...password].slice(0, longest).join('')).score });
});`;

type Waiting = { readonly resolve: (score: number) => void; readonly reject: (error: Error) => void };

/**
 * Creates the scores of passwords, with a limit of `rate` per caller and one over all. The thread, whose dictionaries
 * take 100 ms and 50 MB, starts with the first password that is chosen.
 */
export function createPasswordScores(rate: Rate): PasswordScores {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let last = 0;

  const failAll = (error: Error): void => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  const start = (): Worker => {
    const packages = ['core', 'language-common', 'language-en'].map(name => require.resolve(`@zxcvbn-ts/${name}`));
    // Plain JavaScript: what the process loads its own sources with has no place here.
    const started = new Worker(program, { eval: true, execArgv: [], workerData: { packages, ...scoring } });
    started.on('message', ({ id, score }: { id: number; score: number }) => {
      waiting.get(id)?.resolve(score);
      waiting.delete(id);
      // Nothing is left to wait for: the thread keeps no process from ending.
      if (waiting.size === 0) started.unref();
    });
    started.on('error', failAll);
    return started;
  };

  return {
    async score(password, caller) {
      if (!rate.take(caller)) throw new PortalError('TOO_MANY', { detail: 'passwords checked' });
      if (waiting.size >= mostWaiting) throw new PortalError('BUSY', { detail: 'passwords checked' });
      thread ??= start();
      const id = ++last;
      const scored = new Promise<number>((resolve, reject) => waiting.set(id, { resolve, reject }));
      thread.ref();
      thread.postMessage({ id, password });
      return scored;
    },
    async close() {
      await thread?.terminate();
      failAll(new PortalError('BUSY', { detail: 'the portal stops' }));
    },
  };
}
