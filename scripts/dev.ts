import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, context, type Metafile } from 'esbuild';
import {
  clientOptions,
  describeBundle,
  styleOptions,
  writeFont,
  writeIcons,
  writeStart,
} from './build/client-bundle.ts';

// The browser side is built again at every save; the server, which reads the manifest once, starts again with it.
const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/client');
const outdir = join(folder, 'assets');
const docsFolder = join(root, 'dist/docs');
const manifestFile = join(folder, 'manifest.json');
await Promise.all([folder, join(root, 'dist/build.json')].map(path => rm(path, { recursive: true, force: true })));
const icons = await writeIcons(root, outdir);
const start = await writeStart(root, folder, await writeFont(root, outdir));

const built: { code?: Metafile; styles?: Metafile } = {};
const watched = await Promise.all([
  watch('code', { ...clientOptions(icons, false), entryPoints: { main: 'client/main.tsx' } }),
  watch('styles', { ...styleOptions(false), entryPoints: { portal: 'client/look/index.css' } }),
]);

const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
const watching = (...what: string[]) =>
  spawn(process.execPath, [tsx, 'watch', ...what], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DOCS_DIR: docsFolder, SHOW_DOCUMENT_ERRORS: process.env.SHOW_DOCUMENT_ERRORS ?? '1' },
  });
const docs = watching('--clear-screen=false', 'scripts/docs.ts');
const editor = spawn(process.execPath, [tsx, 'scripts/schemas.ts', 'meta', '--watch'], { cwd: root, stdio: 'inherit' });
const server = watching(`--include=${manifestFile}`, 'server/main.ts');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
server.on('exit', code => {
  docs.kill();
  editor.kill();
  process.exitCode = code ?? 0;
  void Promise.all(watched.map(one => one.dispose()));
});

async function watch(part: 'code' | 'styles', options: BuildOptions) {
  const one = await context({
    ...options,
    absWorkingDir: root,
    outdir,
    metafile: true,
    plugins: [
      {
        name: 'manifest',
        setup: hooks =>
          hooks.onEnd(async ({ metafile }) => {
            if (metafile) built[part] = metafile;
            if (!built.code || !built.styles) return;
            const manifest = describeBundle(built.code, built.styles, icons, start);
            await writeFile(manifestFile, JSON.stringify(manifest));
          }),
      },
    ],
  });
  await one.rebuild();
  await one.watch();
  return one;
}
