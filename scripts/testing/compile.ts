import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Where compiled test files lie, as they lie below the project. */
const output = 'dist/tests';
/** A DOM must stand before React is met, so these keep the order in which their sources import. */
const inOrder = /^test\/client\//;

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

/**
 * Compiles test files with all that they share, so that each of their processes loads a few files in place of hundreds.
 * Gives the files to run, in the order of `files`.
 */
export async function compileTests(files: readonly string[]): Promise<string[]> {
  const compiled = files.filter(file => !inOrder.test(file));
  await build({
    entryPoints: compiled,
    outdir: output,
    outbase: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [places],
  });
  return files.map(file => (compiled.includes(file) ? join(output, file.replace(/\.ts$/, '.js')) : file));
}

/** The source of a file that `compileTests` gave. */
export function sourceOf(file: string): string {
  return file.startsWith(output) ? file.slice(output.length + 1).replace(/\.js$/, '.ts') : file;
}
