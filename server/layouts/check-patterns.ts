import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Source } from './load.ts';
import type { Problem } from './problem.ts';

/** Verdicts by pattern; a pattern is judged once per process. */
const verdicts = new Map<string, Verdict>();

const require = createRequire(import.meta.url);

const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { checkSync } = require(workerData);
parentPort.on('message', patterns => {
  parentPort.postMessage(patterns.map(pattern => {
    try { return checkSync(pattern, '', { timeout: 2000 }).status === 'vulnerable' ? 'dangerous' : 'safe'; } catch { return 'safe'; }
  }));
});`;

type Verdict = 'safe' | 'dangerous';

/** Milliseconds that the thread is kept without work: it is large, and slow to start. */
const idle = 5000;
let thread: Worker | undefined;
let ending: NodeJS.Timeout | undefined;
/** Questions are put one after the other. */
let before: Promise<unknown> = Promise.resolve();

/** The thread of recheck; it never keeps the process alive by itself. */
function openThread(): Worker {
  clearTimeout(ending);
  if (!thread) {
    const opened = new Worker(program, {
      eval: true,
      workerData: require.resolve('recheck'),
      env: { ...process.env, RECHECK_BACKEND: 'pure' },
    });
    opened.once('exit', () => {
      if (thread === opened) thread = undefined;
    });
    thread = opened;
  }
  return thread;
}

function closeLater(): void {
  const idler = thread;
  idler?.unref();
  clearTimeout(ending);
  ending = setTimeout(() => {
    if (thread === idler) thread = undefined;
    void idler?.terminate();
  }, idle).unref();
}

async function ask(patterns: readonly string[]): Promise<Verdict[]> {
  const worker = openThread();
  worker.ref();
  const listening = new AbortController();
  try {
    const options = { signal: listening.signal };
    const ended = once(worker, 'exit', options).then(() => {
      throw new Error('The thread that judges patterns ended.');
    });
    worker.postMessage(patterns);
    const [verdicts] = await Promise.race([once(worker, 'message', options), ended]);
    return verdicts as Verdict[];
  } finally {
    listening.abort();
    closeLater();
  }
}

/** Judges patterns by recheck, each once: most edits bring no new one. */
async function judge(patterns: readonly string[]): Promise<void> {
  const fresh = [...new Set(patterns)].filter(pattern => !verdicts.has(pattern));
  if (fresh.length === 0) return;
  const found = before.then(() => ask(fresh));
  before = found.catch(() => undefined);
  for (const [index, verdict] of (await found).entries()) verdicts.set(fresh[index] as string, verdict);
}

type Found = { readonly pattern: string; readonly at: readonly (string | number)[] };

/** The patterns below a value: `regex` of fields, `pattern` of parameters. */
function patternsIn(value: unknown, key: string, at: readonly (string | number)[] = []): Found[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const place = [...at, Array.isArray(value) ? Number(name) : name];
    return name === key && typeof item === 'string' ? [{ pattern: item, at: place }] : patternsIn(item, key, place);
  });
}

/** Finds patterns whose time can explode (ReDoS). The server bounds them anyway; a user's browser could not. */
export async function checkPatterns(sources: readonly Source[]): Promise<Problem[]> {
  const found = sources.flatMap(source => {
    const key = source.kind === 'operations' ? 'pattern' : 'regex';
    return source.kind === 'texts' ? [] : patternsIn(source.json, key).map(item => ({ source, ...item }));
  });
  await judge(found.map(({ pattern }) => pattern));
  return found
    .filter(({ pattern }) => verdicts.get(pattern) === 'dangerous')
    .map(({ source, pattern, at }) =>
      source.problem(
        at,
        `The pattern ${JSON.stringify(pattern)} is not safe: some input makes it run for a very long time.`,
      ),
    );
}
