import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres, startPostgres } from '../test/fixtures/postgres.ts';
import { chooseChanged } from './testing/changed.ts';
import { chooseUsual, embedded, listTests, onBoth, readCommit, tierOf } from './testing/choose-files.ts';
import { describeFailures, type Failure } from './testing/failures.ts';
import { readProcessorTime } from './testing/processor-time.ts';
import { type Counts, runFiles } from './testing/run-files.ts';
import { openScratch } from './testing/scratch.ts';
import { openStage } from './testing/stage.ts';
import { results, runTools } from './testing/tools.ts';

// npm test: everything but four fifths of the deep tests. npm run test:unit, test:browser: that part of it; test:deep: all
// deep tests; test:changed: what the changes of the work tree touch. Further words pick files by their path, deep ones too.
const [part = 'all', ...picks] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
/** Processes at a time, on two cores: tests wait more than they work. */
const atOnce = 5;
/**
 * What failed is tried once more, alone: five processes on two cores do some things later than a person would see
 * them. The summary names it, and more failures than these are no matter of a busy machine.
 */
const mostAgain = 3;

process.chdir(root);
openScratch();
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const started = Date.now();
const lines: string[] = [];
const failures: Failure[] = [];
const total = { passed: 0, failed: 0 };
/** Processes that are no children of this one, and whose time is that of the tests. */
const besides: number[] = [];

if (part === 'all') {
  await runStage('types', () =>
    runTools(
      'types',
      ['node_modules/tsx/dist/cli.mjs', 'scripts/schemas.ts', 'types'],
      ['node_modules/typescript/bin/tsc'],
    ),
  );
  await runStage('lint', () =>
    runTools('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.'], ['node_modules/knip/bin/knip.js']),
  );
}
const files = await chooseFiles();
const browserFiles = files.filter(isBrowser);
const unitFiles = files.filter(file => !isBrowser(file));
const built =
  files.length > 0 &&
  (await runStage('build', () => runTools('build', ['node_modules/tsx/dist/cli.mjs', 'scripts/build.ts'])));
const stopDatabase = await startDatabase();
try {
  if (part !== 'browser' && unitFiles.length > 0) await count('tests', () => runTwice(unitFiles, 'tests'));
  if (part !== 'unit' && browserFiles.length > 0) await count('browser', () => runInBrowser(browserFiles, 'browser'));
} finally {
  stopDatabase();
}

for (const line of lines) console.log(line);
console.log(`Took ${seconds(started)}. Logs and pictures are in test/results.`);
const told = describeFailures(failures, join(results, 'failed'));
if (told.length > 0) console.log(`\nFailed first:\n${told.map(line => `  ${line}`).join('\n')}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed ? 1 : 0);

async function chooseFiles(): Promise<string[]> {
  const all = listTests();
  if (part === 'changed') return chooseChanged(all);
  if (picks.length > 0) return all.filter(file => picks.some(pick => file.includes(pick)));
  return part === 'deep' ? all.filter(file => tierOf(file) === 'deep') : chooseUsual(all, readCommit());
}

/** Tests run on PostgreSQL where it is found. Gives what stops it. */
async function startDatabase(): Promise<() => void> {
  const folder = findPostgres();
  if (folder === undefined || files.length === 0) {
    if (files.length > 0)
      lines.push('Without PostgreSQL: initdb and pg_ctl were not found, so all tests ran on the embedded database');
    return () => undefined;
  }
  const postgres = await startPostgres(folder);
  besides.push(postgres.pid);
  process.env.TEST_DATABASE_URL = postgres.url;
  unitFiles.push(...unitFiles.filter(file => onBoth.includes(file)).map(file => `${file}${embedded}`));
  return postgres.stop;
}

async function runInBrowser(chosen: readonly string[], name: string): Promise<Counts> {
  if (!built) throw new Error('not run, since the build failed');
  return runTwice(chosen, name, async (...how) => {
    const stage = await openStage();
    try {
      return await runFiles(...how);
    } finally {
      await stage.close();
    }
  });
}

async function runTwice(chosen: readonly string[], name: string, run = runFiles): Promise<Counts> {
  const counts = await run(chosen, atOnce, join(results, `${name}.log`));
  const { failed, failedFiles } = counts;
  if (failed === 0 || failed > mostAgain || failedFiles.length === 0) return counts;
  const again = await run(failedFiles, 1, join(results, `${name}-again.log`));
  if (again.failed < failed)
    lines.push(`UNSTEADY            failed at first, passed alone: tests of ${failedFiles.join(', ')}`);
  return { ...again, passed: counts.passed + failed - again.failed };
}

/** A stage without tests of its own counts when it fails. */
async function runStage(name: string, run: () => Promise<readonly Failure[]>): Promise<boolean> {
  console.log(`${name} …`);
  const end = startClock();
  const found = await run();
  failures.push(...found);
  if (found.length > 0) total.failed += 1;
  lines.push(`${name.padEnd(20)}${found.length > 0 ? 'FAILED' : 'ok'} in ${end()}`);
  return found.length === 0;
}

async function count(name: string, run: () => Promise<Counts>): Promise<void> {
  console.log(`${name} …`);
  const end = startClock();
  try {
    const { passed, failed, skipped, failures: found } = await run();
    total.passed += passed;
    total.failed += failed;
    failures.push(...found.map(failure => ({ stage: name, ...failure })));
    const others = skipped ? `, ${skipped} skipped` : '';
    lines.push(`${name.padEnd(20)}${passed} passed, ${failed} failed${others} in ${end()}`);
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    total.failed += 1;
    failures.push({ stage: name, sentence });
    lines.push(`${name.padEnd(20)}FAILED: ${sentence}`);
  }
}

function isBrowser(file: string): boolean {
  return file.startsWith('test/e2e/');
}

/** Gives what says how long it has been since, and how much of the processors it has taken. */
function startClock(): () => string {
  const from = Date.now();
  const before = readProcessorTime(...besides);
  return () => {
    const after = readProcessorTime(...besides);
    const used = after === undefined ? '' : `, ${(after - before!).toFixed(0)} s of the processors`;
    return `${seconds(from)}${used}`;
  };
}

function seconds(from: number): string {
  return `${((Date.now() - from) / 1000).toFixed(1)} s`;
}
