import { AsyncResource } from 'node:async_hooks';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { closeLasting } from '../../test/fixtures/lasting.ts';
import { blaming } from './blame.ts';
import { readProcessorTime } from './processor-time.ts';
import { declaring, runner } from './runner.ts';

/** What the file that is being loaded has declared so far. */
let declared: (() => void)[] | undefined;

/**
 * A test or hook that has not ended by then (ms) never will; it fails by its name, and the next one is run. The longest
 * takes a minute on two quiet cores.
 */
const longestTest = 10 * 60_000;
/** A file that has not ended by then (ms) never will. */
const longestFile = 25 * 60_000;

/** What a file declares while it is loaded waits for its suite. */
function gathered<Given extends unknown[]>(hook: (...given: Given) => unknown) {
  return (...given: Given): void => {
    if (declared) declared.push(() => hook(...given));
    else hook(...given);
  };
}

type Run = (...given: never[]) => unknown;
type Hook = (run: Run, options?: object) => unknown;

const declareTest = runner.test as (name: string, options: object, run: Run) => unknown;

function bounded(hook: Hook): Hook {
  return gathered((run: Run, options: object = {}) => hook(blaming(run), { timeout: longestTest, ...options }));
}

// Compiled test files have these in place of those of node:test.
/** @public */
export const test = gathered((name: string, ...given: [Run] | [object, Run]) => {
  const [options, run] = given.length === 1 ? [{}, given[0]] : given;
  return declareTest(name, { timeout: longestTest, ...options }, blaming(run));
});
/** @public */
export const before = bounded(runner.before as Hook);
/** @public */
export const after = bounded(runner.after as Hook);
/** @public */
export const beforeEach = bounded(runner.beforeEach as Hook);
/** @public */
export const afterEach = bounded(runner.afterEach as Hook);
/** @public */
export const { mock } = runner;

export type TestFile = {
  readonly name: string;
  /** Whoever makes this file runs the tests. */
  readonly mark: string;
  readonly load: () => Promise<unknown>;
};

/**
 * Runs, in one of several test processes, the files that no other process has taken, one after the other, each as a
 * suite with its own hooks. A file is loaded when its turn comes, as if it had the process for itself.
 */
export function runInTurn(files: readonly TestFile[]): void {
  const waiting = [...files];
  let current: { readonly name: string; readonly from: number | undefined } | undefined;
  const note = (name?: string): void => {
    const now = readProcessorTime();
    if (current && process.env.PROCESSOR_LOG && now !== undefined)
      appendFileSync(process.env.PROCESSOR_LOG, `${(now - (current.from ?? now)).toFixed(1)} ${current.name}\n`);
    current = name === undefined ? undefined : { name, from: now };
  };
  // Whoever calls it, what is declared belongs to the root.
  const next = AsyncResource.bind(async (): Promise<void> => {
    const file = waiting.shift();
    if (!file) {
      await closeLasting();
      return note();
    }
    if (!take(file)) return next();
    note(file.name);
    const own: (() => void)[] = [];
    declared = own;
    try {
      await file.load();
    } catch (error) {
      own.push(() => void runner.test('the file loads', () => Promise.reject(error)));
    }
    declared = undefined;
    declaring(() =>
      runner.describe(file.name, { timeout: longestFile }, () => {
        // Before its own, which may fail.
        runner.after(next);
        for (const declare of own) declare();
      }),
    );
  });
  void next();
}

function take({ mark }: TestFile): boolean {
  try {
    closeSync(openSync(mark, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
