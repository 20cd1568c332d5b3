import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { areas, missingFiles } from './mutation/areas.ts';
import { type Mutant, readMutants } from './mutation/places.ts';
import { openScratch } from './testing/scratch.ts';

// npm run mutate: puts small faults into copies of the sources, and says which of them no test notices.
const usage = `Usage: npm run mutate -- --seed 7 --count 30
  --seed    the draw; the same seed draws the same mutants of the same sources
  --count   how many mutants, evenly over the areas of scripts/mutation/areas.ts
  --areas   trim,press: only these areas
  --only    4,9: of the draw only these mutants
  --list    only shows the draw
  --record  a file to write the draw to: the mutants by their place, to be tried again after the sources have moved
  --again   a file of mutants that were recorded, in place of a draw; one whose place is gone is named and not tried

A mutant is killed by the first test that fails. HANG: no test failed in time, because one waits for what never comes,
or because the mutant is an endless loop, which no test can leave. SURVIVED: a rule that no test holds, or no rule.`;

type Drawn = Mutant & { readonly area: string; readonly file: string };
/** A mutant by its place: the text on both sides of it, as its line changes with every line above. */
type Recorded = Pick<Drawn, 'area' | 'file' | 'was' | 'put'> & { readonly before: string; readonly after: string };

/** Milliseconds for one stage of tests; a test that waits longer for what never comes has a fault of its own. */
const longest = 120_000;
/** Characters on either side by which a recorded mutant is found. */
const context = 120;
const left = ['node_modules', 'dist', 'data', '.git'];

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '30' },
    areas: { type: 'string', default: Object.keys(areas).join(',') },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    record: { type: 'string' },
    again: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..');
process.chdir(root);
const names = values.areas.split(',').filter(name => areas[name]);
const missing = missingFiles();
if ((values.seed === undefined && values.again === undefined) || names.length === 0 || missing.length > 0) {
  console.error(
    missing.length > 0 ? `scripts/mutation/areas.ts names files that are gone: ${missing.join(', ')}` : usage,
  );
  process.exit(2);
}

let running: ChildProcess | undefined;
process.once('exit', () => stop(running));
openScratch();
const tree = copyTree();
const drawn = values.again ? findRecorded(values.again) : draw(Number(values.seed), Number(values.count));
if (values.record) writeFileSync(values.record, `${JSON.stringify(drawn.map(recordPlace), null, 2)}\n`);
const only = values.only?.split(',').map(Number);
const results: string[] = [];
const tried = new Map<readonly string[], string | undefined>();
for (const [index, mutant] of drawn.entries()) {
  if (only && !only.includes(index + 1)) continue;
  const started = Date.now();
  const outcome = values.list ? 'drawn' : await tryMutant(mutant);
  results.push(outcome);
  const change = `${shorten(mutant.was)}  →  ${mutant.put === '{}' ? 'removed' : shorten(mutant.put)}`;
  const took = `${((Date.now() - started) / 1000).toFixed(0)} s`;
  console.log(`${index + 1}. ${mutant.area}  ${mutant.file}:${mutant.at}  ${change}\n     ${outcome} (${took})`);
}
const killed = results.filter(outcome => outcome.startsWith('killed')).length;
if (!values.list) console.log(`${values.again ?? `Seed ${values.seed}`}: ${killed} of ${results.length} killed.`);
process.exit(values.list || killed === results.length ? 0 : 1);

/** Takes mutants from each area in turn. */
function draw(seed: number, count: number): Drawn[] {
  const random = randomFrom(seed);
  const mutants = readMutants(tree, [...new Set(names.flatMap(area => areas[area]!.sources))]);
  const pools = names.map(area => {
    const all = areas[area]!.sources.flatMap(file => mutants.get(file)!.map(mutant => ({ ...mutant, area, file })));
    return all.map(mutant => ({ mutant, order: random() })).sort((a, b) => a.order - b.order);
  });
  const chosen = Array.from({ length: count }, (_, index) => pools[index % pools.length]?.pop()?.mutant);
  return chosen.filter(mutant => mutant !== undefined);
}

function recordPlace({ area, file, start, was, put }: Drawn): Recorded {
  const source = readFileSync(join(tree, file), 'utf8');
  const end = start + was.length;
  return {
    area,
    file,
    was,
    put,
    before: source.slice(Math.max(0, start - context), start),
    after: source.slice(end, end + context),
  };
}

/** Finds recorded mutants in the sources of today: with as much of the text around them as is still there once. */
function findRecorded(path: string): Drawn[] {
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Recorded[];
  return recorded.flatMap(({ area, file, was, put, before, after }) => {
    const source = existsSync(join(tree, file)) ? readFileSync(join(tree, file), 'utf8') : '';
    for (let length = context; length >= 20; length -= 10) {
      const start = before.slice(-length);
      const text = start + was + after.slice(0, length);
      const index = source.indexOf(text);
      if (index < 0 || source.indexOf(text, index + 1) >= 0) continue;
      const place = index + start.length;
      const lines = source.slice(0, place).split('\n');
      return [{ area, file, was, put, start: place, at: `${lines.length}:${(lines.at(-1) ?? '').length + 1}` }];
    }
    console.log(`GONE  ${area}  ${file}  ${shorten(was)}  →  ${shorten(put)}`);
    return [];
  });
}

/** Numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Mutants live in a copy, which goes with this process: the working tree is never touched. */
function copyTree(): string {
  const copy = join(tmpdir(), 'tree');
  mkdirSync(copy);
  for (const name of readdirSync(root)) {
    if (!left.includes(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** A test that fails without a mutant would seem to kill every one: each stage is tried once, before its first mutant. */
async function failsUnchanged(stage: readonly string[]): Promise<string | undefined> {
  if (!tried.has(stage)) tried.set(stage, await runTests(stage));
  return tried.get(stage);
}

async function tryMutant({ area, file, start, was, put }: Drawn): Promise<string> {
  const source = readFileSync(join(tree, file), 'utf8');
  const faulty = source.slice(0, start) + put + source.slice(start + was.length);
  try {
    for (const stage of areas[area]!.stages) {
      writeFileSync(join(tree, file), source);
      const unchanged = await failsUnchanged(stage);
      if (unchanged !== undefined) return `NOT TRIED: the unchanged sources are ${unchanged}`;
      writeFileSync(join(tree, file), faulty);
      const failed = await runTests(stage);
      if (failed !== undefined) return failed;
    }
    return 'SURVIVED';
  } finally {
    writeFileSync(join(tree, file), source);
  }
}

/** Runs test files of the copy up to the first failure, which it gives. */
function runTests(files: readonly string[]): Promise<string | undefined> {
  const flags = ['--import', 'tsx', '--test', '--test-force-exit', '--test-concurrency=2', '--test-reporter=tap'];
  // A group of its own, so that what the tests start can be ended with them.
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: tree,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running = child;
  return new Promise(resolve => {
    let output = '';
    const end = (outcome: string | undefined): void => {
      clearTimeout(timer);
      stop(child);
      resolve(outcome);
    };
    const timer = setTimeout(() => end('HANG'), longest);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const failed = /^ *not ok \d+ - (.*)$/m.exec(output);
      if (failed) end(`killed by: ${failed[1]}`);
    });
    child.on('close', code => end(code === 0 ? undefined : `killed: the tests ended with ${code}`));
  });
}

function stop(child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 67)}…` : line;
}
