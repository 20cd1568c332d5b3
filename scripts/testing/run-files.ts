import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { compileTests, output } from './compile.ts';

/** How many tests of a run passed, failed (or were cut off) and were skipped, and the files of those that failed. */
export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedFiles: readonly string[];
};

type Result = {
  readonly name: string;
  readonly skip?: boolean | string;
  readonly nesting: number;
  readonly details: {
    readonly type?: string;
    readonly duration_ms?: number;
    readonly error?: Error & { readonly failureType?: string };
  };
};

/** A process that has not ended by then (ms) never will, whatever its files say. */
const longest = 75 * 60_000;

// Handed on to every test process. Once its tests have ended, nothing that a library left open keeps it. Embedded
// databases live too briefly to be optimised; the processors are busy with other test processes, not with collecting
// the garbage of one, and a larger young generation (MB) has less to collect: an eighth less time in all.
process.execArgv.push(
  '--test-force-exit',
  '--enable-source-maps',
  '--liftoff-only',
  '--single-threaded-gc',
  '--max-semi-space-size=64',
);

/**
 * Runs test files, one after the other in each of `processes`. Prints a line per file and every failure in full; the
 * whole report goes to `log`. The counts are those of the runner's own summary; a file that fails by itself, or is
 * never reached, counts as a failure.
 */
export async function runFiles(files: readonly string[], processes: number, log: string): Promise<Counts> {
  const summary = new Map<string, number>();
  const unseen = new Set(files);
  const failedFiles = new Set<string>();
  const tally = { passed: 0, failed: 0 };
  let broken = 0;
  const note = ({ name, skip, nesting, details }: Result, passed: boolean): void => {
    const isSuite = details.type === 'suite';
    if (!passed && details.error?.failureType !== 'subtestsFailed') {
      console.log(`  FAILED: ${name}\n${explain(details.error)}`);
      if (isSuite) broken += 1;
    }
    if (!skip && nesting > 0 && !isSuite) tally[passed ? 'passed' : 'failed'] += 1;
    if (nesting > 0 || !isSuite) return;
    unseen.delete(name);
    if (!passed) failedFiles.add(name);
    const failed = tally.failed ? `, ${tally.failed} FAILED` : '';
    console.log(`  ${name}: ${tally.passed} passed${failed} (${((details.duration_ms ?? 0) / 1000).toFixed(1)} s)`);
    Object.assign(tally, { passed: 0, failed: 0 });
  };
  const programs = await compileTests(files, processes);
  process.env.PROGRAMS = output;
  const events = run({ files: programs, concurrency: processes, timeout: longest });
  events.on('test:pass', (result: Result) => note(result, true));
  events.on('test:fail', (result: Result) => note(result, false));
  events.on('test:diagnostic', ({ message }: { message: string }) => {
    const line = /^(pass|fail|cancelled|skipped|todo) (\d+)$/.exec(message);
    if (line) summary.set(line[1]!, Number(line[2]));
  });
  await new Promise((resolve, reject) => {
    events.compose(new spec()).pipe(createWriteStream(log)).on('finish', resolve).on('error', reject);
  });
  for (const file of unseen) {
    console.log(`  NOT RUN: ${file}`);
    failedFiles.add(file);
  }
  const count = (name: string): number => summary.get(name) ?? 0;
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled') + broken + unseen.size,
    skipped: count('skipped') + count('todo'),
    failedFiles: [...failedFiles],
  };
}

function explain(error: Error | undefined): string {
  const cause = error?.cause instanceof Error ? error.cause : error;
  return `${cause?.stack ?? cause?.message ?? 'no reason given'}`.replace(/^/gm, '    ');
}
