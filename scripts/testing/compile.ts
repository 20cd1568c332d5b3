import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { embedded } from './choose-files.ts';

/** Where compiled sources lie, as they lie below the project. */
export const output = 'dist/tests';
const gatherer = 'scripts/testing/gather.ts';
/** The page of files that draw; it must stand before anything that draws is loaded. */
const page = 'test/dom.ts';
/** What tests run in processes of their own. */
const programs = [
  'scripts/schemas.ts',
  'server/main.ts',
  'server/sandbox/main.ts',
  'test/fixtures/portal-program.ts',
  'test/fixtures/full-disk.ts',
  'test/fixtures/billing-at.ts',
  'test/fixtures/sandbox-at.ts',
];

/** What a source says of its own place stays true of the source. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/** Test files and their fixtures declare to what keeps apart the files of one process. */
const gathering: Plugin = {
  name: 'gathering',
  setup({ onResolve }) {
    onResolve({ filter: /^node:test$/ }, ({ importer }) =>
      importer.startsWith(resolve('test')) ? { path: resolve(gatherer) } : null,
    );
  },
};

/**
 * Compiles test files into `processes` programs that run at the same time: each loads shared code once, and takes the
 * next file until all are done. Tests that render React need a DOM, so one more program runs those, and one those that
 * are named to run on the embedded database. Gives the programs' files.
 */
export async function compileTests(names: readonly string[], processes: number): Promise<string[]> {
  const files = [...new Set(names.map(sourceOf))];
  await rm(output, { recursive: true, force: true });
  await build({
    entryPoints: [...files, ...programs, gatherer, page],
    outdir: output,
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    sourcemap: true,
    jsx: 'automatic',
    logLevel: 'warning',
    plugins: [places, gathering],
  });
  await mkdir(join(output, 'taken'));
  const drawing = names.filter(isDrawing);
  const onEmbedded = names.filter(isOnEmbedded);
  const others = names.filter(name => !isDrawing(name) && !isOnEmbedded(name));
  return Promise.all([
    ...(drawing.length > 0 ? [writeProgram('drawing', drawing, page)] : []),
    ...(onEmbedded.length > 0 ? [writeProgram('embedded', onEmbedded)] : []),
    ...Array.from({ length: Math.min(processes, others.length) }, (_, index) =>
      writeProgram(`process-${index + 1}`, others),
    ),
  ]);
}

async function writeProgram(name: string, names: readonly string[], first = gatherer): Promise<string> {
  const path = join(output, `${name}.js`);
  const listed = names.map((file, index) => {
    const mark = JSON.stringify(resolve(output, 'taken', `${name.replace(/\d/, '')}${index}`));
    return `{ name: '${file}', mark: ${mark}, load: () => import('./${compiled(sourceOf(file))}') },`;
  });
  const lines = [
    // Files are loaded later, when their turn comes.
    ...(name === 'embedded' ? ['delete process.env.TEST_DATABASE_URL;'] : []),
    `import './${compiled(first)}';`,
    `import { runInTurn } from './${compiled(gatherer)}';`,
    'runInTurn([',
    ...listed,
    ']);',
    '',
  ];
  await writeFile(path, lines.join('\n'));
  return path;
}

function compiled(file: string): string {
  return file.replace(/\.tsx?$/, '.js');
}

function sourceOf(name: string): string {
  return name.replace(embedded, '');
}

function isOnEmbedded(name: string): boolean {
  return name.endsWith(embedded);
}

function isDrawing(file: string): boolean {
  return file.startsWith('test/client/');
}
