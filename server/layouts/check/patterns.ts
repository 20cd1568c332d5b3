import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Problem } from '../names/problem.ts';
import type { Source } from '../names/source.ts';

/** Patterns of the portal's own documents that recheck has found safe: with them a start needs no thread. */
export const safePatterns: readonly string[] = [
  String.raw`^\s*(?:[A-Za-z0-9]{4}[\s-]*){3}$`,
  String.raw`^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$`,
  String.raw`^[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}$`,
  String.raw`^\d{4}-(?:0[1-9]|1[0-2])-01$`,
  String.raw`^(?:FH|CM)-\d{1,9}$`,
  String.raw`^\d{1,9}-\d{1,9}$`,
  String.raw`^https://[^\s/?#@.]+(?:\.[^\s/?#@.]+)+(?:[/?#][^\s@]*)?$`,
  String.raw`^https?://[^\s/?#@.]+(?:\.[^\s/?#@.]+)+(?:[/?#][^\s@]*)?$`,
  String.raw`^\d{1,6}(?:\.\d{1,10})?$`,
  String.raw`^\d{1,7}(?:\.\d{1,2})?$`,
  String.raw`^(?!0+(\.0{1,2})?$)\d{1,7}(\.\d{1,2})?$`,
  String.raw`^(?!0+(\.0{1,2})?$)\d{1,11}(\.\d{1,2})?$`,
];

type Verdict = 'safe' | 'dangerous';

/** Verdicts by pattern; a pattern is judged once per process. */
const verdicts = new Map<string, Verdict>(safePatterns.map(pattern => [pattern, 'safe']));
/** Milliseconds for one pattern: most take a few, on a busy machine some hundred. */
const longest = 10_000;

const require = createRequire(import.meta.url);

const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { checkSync } = require(workerData.recheck);
const verdicts = { safe: 'safe', vulnerable: 'dangerous' };
parentPort.on('message', patterns => {
  parentPort.postMessage(patterns.map(pattern => {
    try {
      const { status, error } = checkSync(pattern, '', { timeout: workerData.timeout });
      // What is no pattern is reported elsewhere.
      return error?.kind === 'invalid' ? 'safe' : verdicts[status];
    } catch { return undefined; }
  }));
});`;

/** A class, a property or an escape: one character of the text each. */
const single = /\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]/gs;

/**
 * True for a regular expression that obviously runs in linear time (anchored, at most one repetition without limit), so
 * that the slow check for ReDoS is not needed.
 */
export function isPlainlySafe(pattern: string): boolean {
  const plain = pattern.replace(single, 'x');
  const repeats = plain.match(/[*+?]|\{\d+,/g) ?? [];
  return plain.startsWith('^') && !plain.includes('|') && !/\)[*+?{]/.test(plain) && repeats.length <= 1;
}

/** Judges patterns by recheck, in a thread that ends with the work: it is large, and most edits bring no new pattern. */
async function recheckPatterns(patterns: readonly string[], timeout: number): Promise<void> {
  const fresh = [...new Set(patterns)].filter(pattern => !verdicts.has(pattern) && !isPlainlySafe(pattern));
  if (fresh.length === 0) return;
  const worker = new Worker(program, {
    eval: true,
    // Plain JavaScript: what the process loads its own sources with has no place here, and can keep both from ending.
    execArgv: [],
    workerData: { recheck: require.resolve('recheck'), timeout },
    env: { ...process.env, RECHECK_BACKEND: 'pure' },
  });
  try {
    const found = await new Promise<(Verdict | undefined)[]>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.postMessage(fresh);
    });
    fresh.forEach((pattern, index) => {
      const verdict = found[index];
      if (verdict) verdicts.set(pattern, verdict);
    });
  } finally {
    await worker.terminate();
  }
}

type Found = { readonly pattern: string; readonly at: readonly (string | number)[] };

/** Finds the patterns below a value: `regex` of fields, `pattern` of parameters. */
function findPatterns(value: object, key: string, at: Found['at'], found: Found[]): void {
  const isList = Array.isArray(value);
  for (const [name, item] of Object.entries(value)) {
    if (name === key && typeof item === 'string') found.push({ pattern: item, at: [...at, name] });
    else if (item !== null && typeof item === 'object')
      findPatterns(item, key, [...at, isList ? Number(name) : name], found);
  }
}

const patternsBySource = new WeakMap<Source, readonly Found[]>();

/** Lists the regular expressions in a document. */
export function patternsOf(source: Source): readonly Found[] {
  const known = patternsBySource.get(source);
  if (known) return known;
  const found: Found[] = [];
  const { kind, json } = source;
  if (kind !== 'texts') findPatterns(json, kind === 'operations' ? 'pattern' : 'regex', [], found);
  patternsBySource.set(source, found);
  return found;
}

/**
 * Finds regular expressions whose time can explode (ReDoS), or whose safety is not established within `timeout`
 * milliseconds. The server bounds them anyway; a user's browser could not.
 */
export async function checkPatterns(sources: readonly Source[], timeout = longest): Promise<Problem[]> {
  const found = sources.flatMap(source => patternsOf(source).map(item => ({ source, ...item })));
  await recheckPatterns(
    found.map(({ pattern }) => pattern),
    timeout,
  );
  return found.flatMap(({ source, pattern, at }) => {
    const verdict = isPlainlySafe(pattern) ? 'safe' : verdicts.get(pattern);
    if (verdict === 'safe') return [];
    const why = verdict
      ? 'is not safe: some input makes it run for a very long time.'
      : 'could not be shown to be safe in time: write it simpler.';
    return [source.problem(at, `The pattern ${JSON.stringify(pattern)} ${why}`)];
  });
}
