import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/** What `dist/client/manifest.json` tells the server; every other value is an address below /assets/. */
export type Manifest = {
  /** The first script of every page, at the same address in each build; the query names its content. */
  readonly start: string;
  readonly main: string;
  readonly css: string;
  readonly icons: string;
  /** Modules that `main` imports statically, to be fetched along with it. */
  readonly preload: readonly string[];
  /** Names of all assets of this build; what lies beside them is of the build before. */
  readonly assets?: readonly string[];
};

/** An asset of the build: its bytes, and those that travel. */
export type Asset = { readonly name: string; readonly bytes: number; readonly brotli: number };

/** The built browser side: what the server is told, what was bundled from what, and every file's size by name. */
export type ClientBundle = {
  readonly manifest: Manifest;
  readonly metafile: Metafile;
  readonly assets: ReadonlyMap<string, Asset>;
};

const compress = promisify(brotliCompress);

/** Browsers of the last two years: dialog, popover, nesting and container queries are taken for granted. */
const target = ['chrome120', 'edge120', 'firefox121', 'safari17.2'];

/** Gives esbuild's options for browser code, minified for `production`; `icons` is the address of the icon sprite. */
export function clientOptions(icons: string, production: boolean): BuildOptions {
  return {
    bundle: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    target,
    minify: production,
    sourcemap: production ? false : 'linked',
    legalComments: production ? 'external' : 'inline',
    define: {
      'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development'),
      __ICONS__: JSON.stringify(icons),
    },
    // React has had it since 18; the shim is for older ones.
    alias: {
      'use-sync-external-store/shim/index.js': 'react',
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      'use-sync-external-store/shim': 'react',
    },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
  };
}

/** Writes the icon sprite under a name with its hash; gives its address. */
export const writeIcons = (root: string, folder: string): Promise<string> =>
  writeHashed(join(root, 'client/look/icons.svg'), folder);

/** Writes the font under a name with its hash; gives its address. */
export const writeFont = (root: string, folder: string): Promise<string> =>
  writeHashed(join(root, 'client/look/font/inter.woff2'), folder);

async function writeHashed(file: string, folder: string): Promise<string> {
  const content = await readFile(file);
  const { name, ext } = parse(file);
  const hashed = `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}${ext}`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, hashed), content);
  return `/assets/${hashed}`;
}

/** Builds the first script of every page into `folder`; gives its address. `font` is that of the font. */
export async function writeStart(root: string, folder: string, font: string): Promise<string> {
  const outfile = join(folder, 'start.js');
  const entryPoints = [join(root, 'client/start.ts')];
  const define = { __FONT__: JSON.stringify(font) };
  await build({
    entryPoints,
    outfile,
    define,
    bundle: true,
    format: 'iife',
    target,
    minify: true,
    logLevel: 'warning',
  });
  const hash = createHash('sha256').update(await readFile(outfile));
  return `/start.js?v=${hash.digest('hex').slice(0, 8)}`;
}

/** Gives esbuild's options for the portal's style sheet. */
export function styleOptions(production: boolean): BuildOptions {
  return {
    bundle: true,
    target,
    minify: production,
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file', '.svg': 'file' },
    metafile: true,
    logLevel: 'warning',
  };
}

/** Lists the addresses of the built files that `output` imports statically, directly or not, without itself. */
export function staticImports(metafile: Metafile, output: string): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
      if (kind !== 'import-statement' || seen.has(path) || !metafile.outputs[path]) continue;
      seen.add(path);
      visit(path);
    }
  };
  visit(output);
  return [...seen];
}

/** Writes the manifest of the browser's build: the addresses of its scripts, styles, icons, for the server's pages. */
export function describeBundle(code: Metafile, styles: Metafile, icons: string, start: string): Manifest {
  const main = outputOf(code, 'client/main.tsx');
  return {
    start,
    main: addressOf(main),
    css: addressOf(outputOf(styles, 'client/look/index.css')),
    icons,
    preload: staticImports(code, main).map(addressOf),
  };
}

/**
 * The assets of the build in `folder`, as contents by file name: pages that came from it ask for them while its release
 * is replaced.
 */
async function readLastAssets(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const kept = new Map<string, Buffer>();
  try {
    const { assets = [] } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    for (const name of assets.flatMap(asset => [asset, `${asset}.br`]))
      kept.set(name, await readFile(join(folder, 'assets', name)));
  } catch {
    // There is no build, or half of one.
  }
  return kept;
}

/**
 * Builds the browser's code into `dist/client` for production, each file with a brotli copy. Files of the build before
 * stay, for pages that are still open.
 */
export async function buildClient(root: string): Promise<ClientBundle> {
  const folder = join(root, 'dist/client');
  const outdir = join(folder, 'assets');
  const last = await readLastAssets(folder);
  await rm(folder, { recursive: true, force: true });
  const icons = await writeIcons(root, outdir);
  const font = await writeFont(root, outdir);
  const start = await writeStart(root, folder, font);
  const [code, styles] = await Promise.all([
    build({
      ...clientOptions(icons, true),
      absWorkingDir: root,
      entryPoints: { main: 'client/main.tsx' },
      outdir,
      metafile: true,
    }),
    build({
      ...styleOptions(true),
      absWorkingDir: root,
      entryPoints: { portal: 'client/look/index.css' },
      outdir,
      metafile: true,
    }),
  ]);
  const names = [...Object.keys(code.metafile.outputs), ...Object.keys(styles.metafile.outputs), icons, font].map(
    name => basename(name),
  );
  const assets = await Promise.all(names.map(name => compressAsset(outdir, name)));
  const manifest = { ...describeBundle(code.metafile, styles.metafile, icons, start), assets: names };
  for (const [name, content] of last)
    if (!names.includes(name.replace(/\.br$/, ''))) await writeFile(join(outdir, name), content);
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, metafile: code.metafile, assets: new Map(assets.map(asset => [asset.name, asset])) };
}

/** Builds `client/embed.ts` into `dist/embed`: `mountLayout` for pages without a portal behind them. */
export async function buildEmbed(root: string): Promise<void> {
  const outdir = join(root, 'dist/embed');
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'icons.svg'), await readFile(join(root, 'client/look/icons.svg')));
  const flat: BuildOptions = { absWorkingDir: root, outdir, entryNames: '[name]' };
  await Promise.all([
    build({ ...clientOptions('icons.svg', true), ...flat, entryPoints: { embed: 'client/embed.ts' } }),
    build({ ...styleOptions(true), ...flat, entryPoints: { embed: 'client/look/index.css' } }),
  ]);
}

async function compressAsset(folder: string, name: string): Promise<Asset> {
  const file = join(folder, name);
  const content = await readFile(file);
  const small = await compress(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  await writeFile(`${file}.br`, small);
  return { name, bytes: content.length, brotli: small.length };
}

function outputOf(metafile: Metafile, entry: string): string {
  const found = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry);
  if (!found) throw new Error(`esbuild made nothing from ${entry}`);
  return found[0];
}

function addressOf(output: string): string {
  return `/assets/${basename(output)}`;
}
