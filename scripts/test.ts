import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres, startPostgres } from '../test/fixtures/postgres.ts';
import { chooseUsual, listTests, readCommit, tierOf } from './testing/choose-files.ts';
import { type Counts, runFiles } from './testing/run-files.ts';
import { openScratch } from './testing/scratch.ts';
import { openStage } from './testing/stage.ts';
import { results, runTools } from './testing/tools.ts';

// npm test: everything but four fifths of the deep tests. npm run test:unit, test:browser: that part of it; test:deep: all
// deep tests. Further words pick files by their path, deep ones too.
const [part = 'all', ...picks] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
/** Processes at a time, on two cores: tests wait more than they work. */
const atOnce = 5;
/** Folders whose tests meet the database; they run on PostgreSQL too, but for what is about the embedded one. */
const onDatabase =
  /^test\/((server\/)?(sandbox|store|session|commands|routes|realtime)\/|e2e\/smoke\.)(?!(kill|kill-jobs|process)\.)/;
/**
 * What runs once: on PostgreSQL where it is found. The embedded database, which takes far longer, has all stories of the
 * browser, and of the sandbox what seeds, and what begins and ends processes.
 */
const onPostgresAlone = /^test\/((session|commands|routes|realtime)\/|sandbox\/(?!(kill|large-seed|process|seed)\b))/;

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
const total = { passed: 0, failed: 0 };

if (part === 'all') {
  await runStage('types', () => runTools('types', ['node_modules/typescript/bin/tsc']));
  await runStage('lint', () =>
    runTools('lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.'], ['node_modules/knip/bin/knip.js']),
  );
}
const built = await runStage('build', () => runTools('build', ['node_modules/tsx/dist/cli.mjs', 'scripts/build.ts']));
const files = chooseFiles();
const [browserFiles, unitFiles] = [files.filter(isBrowser), files.filter(file => !isBrowser(file))];
const postgresFolder = part === 'all' ? findPostgres() : undefined;
const embeddedFiles = postgresFolder ? unitFiles.filter(file => !onPostgresAlone.test(file)) : unitFiles;

if (part !== 'browser') await count('tests', () => runFiles(embeddedFiles, atOnce, join(results, 'tests.log')));
if (part !== 'unit' && browserFiles.length > 0) await count('browser', () => runInBrowser(browserFiles, 'browser'));
if (postgresFolder) await onPostgres(postgresFolder);
else if (part === 'all') lines.push('PostgreSQL  not run: initdb and pg_ctl were not found on this machine');

for (const line of lines) console.log(line);
console.log(`Took ${seconds(started)}. Logs and pictures are in test/results.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed ? 1 : 0);

function chooseFiles(): string[] {
  const all = listTests();
  if (picks.length > 0) return all.filter(file => picks.some(pick => file.includes(pick)));
  return part === 'deep' ? all.filter(file => tierOf(file) === 'deep') : chooseUsual(all, readCommit());
}

async function onPostgres(folder: string): Promise<void> {
  const postgres = await startPostgres(folder);
  process.env.TEST_DATABASE_URL = postgres.url;
  try {
    await count('PostgreSQL', () =>
      runTwice(
        unitFiles.filter(file => onDatabase.test(file) || onPostgresAlone.test(file)),
        'postgres',
      ),
    );
    await count('PostgreSQL browser', () =>
      runInBrowser(
        browserFiles.filter(file => onDatabase.test(file)),
        'postgres-browser',
      ),
    );
  } finally {
    postgres.stop();
  }
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
async function runStage(name: string, run: () => Promise<boolean>): Promise<boolean> {
  console.log(`${name} …`);
  const from = Date.now();
  const good = await run();
  if (!good) total.failed += 1;
  lines.push(`${name.padEnd(20)}${good ? 'ok' : 'FAILED'} in ${seconds(from)}`);
  return good;
}

async function count(name: string, run: () => Promise<Counts>): Promise<void> {
  console.log(`${name} …`);
  const from = Date.now();
  try {
    const { passed, failed, skipped } = await run();
    total.passed += passed;
    total.failed += failed;
    const others = skipped ? `, ${skipped} skipped` : '';
    lines.push(`${name.padEnd(20)}${passed} passed, ${failed} failed${others} in ${seconds(from)}`);
  } catch (error) {
    total.failed += 1;
    lines.push(`${name.padEnd(20)}FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isBrowser(file: string): boolean {
  return file.startsWith('test/e2e/');
}

function seconds(from: number): string {
  return `${((Date.now() - from) / 1000).toFixed(1)} s`;
}
