import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { compileTests, output } from './compile.ts';
import type { Failure } from './failures.ts';

/** How many tests of a run passed, failed (or were cut off) and were skipped, the files of those that failed, and why. */
export type Counts = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedFiles: readonly string[];
  readonly failures: readonly Omit<Failure, 'stage'>[];
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
 * whole report goes to `log`, and beside it, as `.seconds`, the processor time of the test process by file, the most
 * first. The counts are those of the runner's own summary; a file that fails by itself, or is
 * never reached, counts as a failure.
 */
export async function runFiles(files: readonly string[], processes: number, log: string): Promise<Counts> {
  const summary = new Map<string, number>();
  const unseen = new Set(files);
  const failedFiles = new Set<string>();
  const failures: Omit<Failure, 'stage'>[] = [];
  /** Of the file whose own result comes next. */
  let unnamed: Omit<Failure, 'stage'>[] = [];
  const tally = { passed: 0, failed: 0 };
  let broken = 0;
  const note = ({ name, skip, nesting, details }: Result, passed: boolean): void => {
    const isSuite = details.type === 'suite';
    if (!passed && details.error?.failureType !== 'subtestsFailed') {
      const reason = explain(details.error);
      console.log(`  FAILED: ${name}\n${reason.replace(/^/gm, '    ')}`);
      unnamed.push({ sentence: name, reason });
      if (isSuite) broken += 1;
    }
    if (!skip && nesting > 0 && !isSuite) tally[passed ? 'passed' : 'failed'] += 1;
    if (nesting > 0 || !isSuite) return;
    unseen.delete(name);
    if (!passed) failedFiles.add(name);
    failures.push(...unnamed.map(failure => ({ ...failure, file: name })));
    unnamed = [];
    const failed = tally.failed ? `, ${tally.failed} FAILED` : '';
    console.log(`  ${name}: ${tally.passed} passed${failed} (${((details.duration_ms ?? 0) / 1000).toFixed(1)} s)`);
    Object.assign(tally, { passed: 0, failed: 0 });
  };
  const programs = await compileTests(files, processes);
  process.env.PROGRAMS = output;
  process.env.PROCESSOR_LOG = log.replace(/\.log$/, '.seconds');
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
  failures.push(...unnamed);
  for (const file of unseen) {
    console.log(`  NOT RUN: ${file}`);
    failedFiles.add(file);
    failures.push({ file, sentence: 'not run' });
  }
  sortLines(process.env.PROCESSOR_LOG);
  const count = (name: string): number => summary.get(name) ?? 0;
  return {
    passed: count('pass'),
    failed: count('fail') + count('cancelled') + broken + unseen.size,
    skipped: count('skipped') + count('todo'),
    failedFiles: [...failedFiles],
    failures,
  };
}

function explain(error: Error | undefined): string {
  const cause = error?.cause instanceof Error ? error.cause : error;
  return `${cause?.stack ?? cause?.message ?? 'no reason given'}`;
}

/** The line with the greatest number first. */
function sortLines(path: string): void {
  if (!existsSync(path)) return;
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  writeFileSync(path, `${lines.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a)).join('\n')}\n`);
}
