import { basename } from 'node:path';
import type { Metafile } from 'esbuild';
import { type ClientBundle, staticImports } from './client-bundle.ts';

/** A line of the byte budget, in bytes as they travel (brotli). */
export type Weight = { readonly what: string; readonly bytes: number; readonly limit: number };

/**
 * What the HTML of a page adds to its assets, with boot, layout and first data inlined. Estimates in bytes (brotli),
 * with some room, so that the budget can be checked without a running portal.
 */
const html = { signIn: 2500, customers: 6500 };

/** Modules that load when first met, by the part of the product that meets them. */
const parts = {
  form: /^client\/nodes\/(form\.|field\/)/,
  table: /^client\/nodes\/(table\/|(search|filter|menu)\.)/,
  popup: /^client\/runtime\/(popups|dialog)/,
  socket: /^client\/runtime\/socket/,
};

/** Measures the sizes of the browser's bundle against the limits that the product promises. */
export function weighBundle(bundle: ClientBundle): Weight[] {
  const size = (address: string): number => bundle.assets.get(basename(address))?.brotli ?? 0;
  const sum = (addresses: Iterable<string>): number => [...addresses].reduce((total, name) => total + size(name), 0);
  const base = [bundle.manifest.main, ...bundle.manifest.preload].map(address => basename(address));
  const withParts = (...names: (keyof typeof parts)[]): Set<string> =>
    new Set([...base, ...names.flatMap(name => outputsWith(bundle.metafile, parts[name]))]);
  const look = [bundle.manifest.css, bundle.manifest.icons];
  return [
    { what: 'runtime, form, popup, table and React', bytes: sum(withParts('form', 'popup', 'table')), limit: 88_000 },
    { what: 'styles', bytes: size(bundle.manifest.css), limit: 14_000 },
    { what: 'sign-in page', bytes: html.signIn + sum(withParts('form')) + sum(look), limit: 93_000 },
    {
      what: 'customers screen',
      bytes: html.customers + sum(withParts('form', 'popup', 'table', 'socket')) + sum(look),
      limit: 122_000,
    },
  ];
}

/** Formats the sizes as a table for the terminal. */
export function printWeights(weights: readonly Weight[]): string {
  const width = Math.max(...weights.map(({ what }) => what.length));
  return weights
    .map(({ what, bytes, limit }) =>
      [what.padEnd(width), number(bytes), 'of', number(limit), bytes > limit ? 'OVER' : 'ok'].join('  '),
    )
    .join('\n');
}

function outputsWith(metafile: Metafile, modules: RegExp): string[] {
  return Object.entries(metafile.outputs)
    .filter(([, output]) => Object.keys(output.inputs).some(input => modules.test(input)))
    .flatMap(([name]) => [name, ...staticImports(metafile, name)])
    .map(name => basename(name));
}

function number(bytes: number): string {
  return bytes.toLocaleString('en').padStart(7);
}
