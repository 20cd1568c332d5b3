import { createWriteStream } from 'node:fs';
import { relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { compileTests, sourceOf } from './compile.ts';

/** How many tests of a run passed, failed (or were cut off) and were skipped. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

type Result = {
  readonly name: string;
  readonly file?: string;
  readonly skip?: boolean | string;
  readonly nesting: number;
  readonly details: { readonly type?: string; readonly duration_ms?: number; readonly error?: Error };
};

type Tally = { passed: number; failed: number; milliseconds: number };

/** A file that has not ended by then never will. */
const fileLimit = 8 * 60_000;

// Handed on to every test process. Once its tests have ended, nothing that a library left open keeps it, and the
// embedded databases live too briefly to be optimised.
process.execArgv.push('--test-force-exit', '--enable-source-maps', '--liftoff-only');

/**
 * Runs test files, `concurrency` of them at a time, each in a process of its own. Prints a line per file and every
 * failure in full; the whole report goes to `log`. The counts are those of the runner's own summary.
 */
export async function runFiles(files: readonly string[], concurrency: number, log: string): Promise<Counts> {
  const summary = new Map<string, number>();
  const tallies = new Map<string, Tally>();
  let current = '';
  const closeFile = (): void => {
    const tally = tallies.get(current);
    if (tally) console.log(`  ${sourceOf(relative('.', current))}: ${tell(tally)}`);
  };
  const note = (result: Result, passed: boolean): void => {
    if (result.skip || result.details.type === 'suite') return;
    const file = result.file ?? '';
    if (file !== current) closeFile();
    current = file;
    const tally = tallies.get(file) ?? { passed: 0, failed: 0, milliseconds: 0 };
    tally[passed ? 'passed' : 'failed'] += 1;
    if (result.nesting === 0) tally.milliseconds += result.details.duration_ms ?? 0;
    tallies.set(file, tally);
    if (!passed) console.log(`  FAILED: ${result.name}\n${explain(result.details.error)}`);
  };
  const events = run({ files: await compileTests(files), concurrency, timeout: fileLimit });
  events.on('test:pass', (result: Result) => note(result, true));
  events.on('test:fail', (result: Result) => note(result, false));
  events.on('test:diagnostic', ({ message }: { message: string }) => {
    const line = /^(pass|fail|cancelled|skipped|todo) (\d+)$/.exec(message);
    if (line) summary.set(line[1]!, Number(line[2]));
  });
  await new Promise((resolve, reject) => {
    events.compose(new spec()).pipe(createWriteStream(log)).on('finish', resolve).on('error', reject);
  });
  closeFile();
  const count = (name: string): number => summary.get(name) ?? 0;
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
}

function tell({ passed, failed, milliseconds }: Tally): string {
  return `${passed} passed${failed ? `, ${failed} FAILED` : ''} (${(milliseconds / 1000).toFixed(1)} s)`;
}

function explain(error: Error | undefined): string {
  const cause = error?.cause instanceof Error ? error.cause : error;
  return `${cause?.stack ?? cause?.message ?? 'no reason given'}`.replace(/^/gm, '    ');
}
