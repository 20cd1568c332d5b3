import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { tierOf } from './choose-files.ts';

/** Test files that a run of what changed takes at most: the nearest, so that it ends within a minute or two. */
const most = 40;

/** By file of the project, the files that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** What the work tree has that the main branch did not have when the work began: files, as they lie below the project. */
export function readChanges(): string[] {
  const git = (...parts: string[]): string =>
    execFileSync('git', parts, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = (text: string): string[] => text.split('\n').filter(line => line !== '');
  const isThere = (name: string): boolean => lines(git('branch', '-a', '--format=%(refname:short)')).includes(name);
  const main = ['main', 'origin/main'].find(isThere);
  const from = main ? git('merge-base', 'HEAD', main).trim() : 'HEAD';
  return [...lines(git('diff', '--name-only', from)), ...lines(git('ls-files', '--others', '--exclude-standard'))];
}

/** The imports of test files, and of what they import. */
export async function readImports(files: readonly string[]): Promise<Imports> {
  const { metafile } = await build({
    // One entry: of many, each would be bundled with all that it imports.
    stdin: { contents: files.map(file => `import './${file}';`).join('\n'), resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    logLevel: 'error',
  });
  return new Map(Object.entries(metafile.inputs).map(([file, { imports }]) => [file, imports.map(({ path }) => path)]));
}

/**
 * Test files that changed files touch, the nearest by imports first. A document touches the tests of `test/schemas`,
 * and those whose name or text has the name of its area. A story of the browser is touched by its own change alone,
 * since it imports little of what it is about; where server, client or documents changed, one story stands for all.
 * Deep files are touched by their own change alone too.
 */
export function touchedBy(changes: readonly string[], files: readonly string[], imports: Imports): string[] {
  const importers = new Map<string, string[]>();
  for (const [file, imported] of imports) {
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), file]);
  }
  const distance = new Map(changes.map(file => [file, 0]));
  const waiting = [...changes];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    for (const importer of importers.get(file) ?? []) {
      if (distance.has(importer)) continue;
      distance.set(importer, distance.get(file)! + 1);
      waiting.push(importer);
    }
  }
  const documents = changes.filter(file => file.startsWith('schemas/'));
  const areas = new Set(documents.map(areaOf));
  const isSelf = (file: string): boolean => distance.get(file) === 0;
  const near = (file: string): number | undefined => {
    const own = distance.get(file);
    if (isSelf(file)) return 0;
    if (file.startsWith('test/e2e/smoke.') && changes.some(one => /^(client|server|schemas)\//.test(one))) return 0;
    if (file.startsWith('test/e2e/') || tierOf(file) === 'deep') return undefined;
    const named = [...areas].some(area => basename(file).includes(area) || textOf(file).includes(`schemas/${area}`));
    if (named) return Math.min(own ?? 1, 1);
    if (documents.length > 0 && file.startsWith('test/schemas/')) return Math.min(own ?? 2, 2);
    return own;
  };
  return files
    .flatMap(file => {
      const at = near(file);
      return at === undefined ? [] : [{ file, at }];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
}

/** The touched files, at most so many that they run within a minute or two; says what it leaves out. */
export async function chooseChanged(files: readonly string[]): Promise<string[]> {
  const changes = readChanges();
  const touched = touchedBy(changes, files, await readImports(files));
  const left = touched.length - most;
  console.log(`${changes.length} files changed; they touch ${touched.length} test files`);
  if (left > 0) console.log(`  the nearest ${most} run; npm test runs the other ${left}`);
  return touched.slice(0, most).sort();
}

/** `schemas/orders/list.json` and `schemas/text/en/orders.json` are of the area `orders`. */
function areaOf(document: string): string {
  const [, folder = '', , name = ''] = document.split('/');
  return basename(folder === 'text' ? name : folder, '.json');
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
