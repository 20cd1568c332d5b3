import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Builds the portal and the sandbox cloud into `dist/server`; packages stay in node_modules. */
export async function buildServer(root: string): Promise<void> {
  const outdir = join(root, 'dist/server');
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: { main: './server/main.ts', sandbox: './server/sandbox/main.ts' },
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  // The sandbox reads them beside its code.
  await cp(join(root, 'server/sandbox/knowledge/articles'), join(outdir, 'articles'), { recursive: true });
}
