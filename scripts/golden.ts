import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareRecords } from './golden/compare.ts';
import { recordPages } from './golden/pages.ts';
import { accounts, recordScreens } from './golden/screens.ts';
import { type Json, Stage } from './golden/stage.ts';
import { recordStories } from './golden/stories.ts';
import { recordTrimmed } from './golden/trimmed.ts';

const usage = `Usage: npm run golden -- record FOLDER          write down what the portal of this checkout does
       npm run golden -- compare A B [EXPECTED]  what differs between two records; EXPECTED has a line for each
                                                 difference that has a reason: its beginning, a tab, the reason`;
/** Their pages are looked at in a browser; they are the first accounts of the record. */
const roles = accounts.slice(0, 4);

/** With the keys of objects sorted: their order says nothing. */
const canonical = (value: Json): string => {
  const sort = (_: string, item: Json): Json =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item;
  return JSON.stringify(value, sort, 1) ?? 'null';
};

const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;

const describeCheckout = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).trim();

/** Writes a record into a folder, which must be empty or a record. */
async function record(folder: string): Promise<void> {
  const start = performance.now();
  const checkout = describeCheckout();
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'principals.json')))
    throw new Error(`${folder} is not empty, and no record.`);
  rmSync(folder, { recursive: true, force: true });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  };
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });

  const { variants, principals } = await recordTrimmed(canonical);
  for (const [part, trees] of variants) write(`trimmed/${part}.json`, canonical(Object.fromEntries(trees)));
  write('principals.json', canonical(principals));
  console.log(`${Object.keys(principals).length} generated principals: ${since(start)}`);

  const scratch = mkdtempSync(join(tmpdir(), 'golden-'));
  const play = async (dataDir: string, runs: boolean, act: (stage: Stage) => Promise<unknown>): Promise<void> => {
    const stage = await Stage.start(join(scratch, dataDir), runs);
    await act(stage).finally(() => stage.stop());
  };
  try {
    await play('seeded', false, async () => undefined);
    cpSync(join(scratch, 'seeded'), join(scratch, 'stories'), { recursive: true });
    // Nothing moves while screens and pages are read.
    await play('seeded', false, async stage => {
      const { routes } = await stage.visitor().boot();
      const shared = new Set<string>(routes.map(([pattern]: readonly string[]) => pattern));
      for (const account of accounts) {
        const screens = await recordScreens(stage, account);
        write(`screens/${account}.json`, stage.mask(JSON.stringify(screens, null, 1)));
        if (!(roles as readonly string[]).includes(account)) continue;
        const own = Object.entries(screens).filter(([, { pattern, redirect }]) => !redirect && !shared.has(pattern));
        const pages = await recordPages(
          stage,
          account,
          own.map(([address]) => address),
        );
        write(`pages/${account}.txt`, stage.mask(pages));
        console.log(`Screens and ${own.length} pages of ${account}: ${since(start)}`);
      }
      const openApi = (await (await fetch(`${stage.cloud}/openapi.json`)).json()) as Json;
      write('openapi.json', stage.mask(canonical(openApi)));
    });
    await play('stories', true, async stage => {
      for (const [name, wire] of Object.entries(await recordStories(stage)))
        write(`stories/${name}.json`, stage.mask(JSON.stringify(wire, null, 1), true));
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  // The running portal takes edits of its documents over, so that such a record would be of two commits.
  if (describeCheckout() !== checkout) throw new Error('The checkout has changed meanwhile: take the record again.');
  write('checkout', checkout);
  console.log(`The record is in ${folder}: ${since(start)}`);
}

/** Prints the differences that nothing is said of; true when there is none. */
function compare(a: string, b: string, expected: string | undefined): boolean {
  const lines = expected === undefined ? [] : readFileSync(expected, 'utf8').split('\n');
  const reasons = lines.flatMap(line => (line.includes('\t') ? [line.split('\t') as [string, string]] : []));
  const all = compareRecords(a, b);
  const open = all.filter(line => !reasons.some(([beginning]) => line.startsWith(beginning)));
  for (const line of open) console.log(line);
  for (const [beginning] of reasons)
    if (!all.some(line => line.startsWith(beginning))) console.log(`Expected, but not there: ${beginning}`);
  console.log(
    `${open.length} differences${expected === undefined ? '' : `, and ${all.length - open.length} with a reason`}`,
  );
  return open.length === 0;
}

const [verb, first, second, third] = process.argv.slice(2);
if (verb === 'record' && first !== undefined) await record(first);
else if (verb === 'compare' && first !== undefined && second !== undefined)
  process.exitCode = compare(first, second, third) ? 0 : 1;
else {
  console.error(usage);
  process.exitCode = 2;
}
process.exit();
