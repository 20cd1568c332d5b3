import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import { clientOptions } from '../../build/client-bundle.ts';

/** Pages to be measured, on loopback: `/plain` and `/portal`. Each offers `mountBench(name)` and waits. */
export type ServedPages = { readonly url: string; readonly close: () => void };

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * Builds the two pages to compare, plain React and the portal, with the settings of production, and serves them on
 * loopback. The styles come from `dist/embed`.
 */
export async function servePages(root: string): Promise<ServedPages> {
  const files = new Map<string, Buffer>();
  const bundle = await build({
    ...clientOptions('icons.svg', true),
    absWorkingDir: root,
    entryPoints: { plain: 'scripts/bench/plain/page.tsx', portal: 'scripts/bench/browser/portal-page.ts' },
    entryNames: '[name]',
    outdir: root,
    write: false,
  });
  for (const { path, contents } of bundle.outputFiles ?? []) files.set(path.slice(root.length), Buffer.from(contents));
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://pages').pathname;
    const side = /^\/(plain|portal)$/.exec(path)?.[1];
    const body = side ? page(side) : (files.get(path) ?? (await embedded(root, path)));
    if (body === undefined) response.statusCode = 404;
    response.setHeader('content-type', side ? 'text/html' : (types[extname(path)] ?? 'text/plain'));
    response.end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function embedded(root: string, path: string): Promise<Buffer | undefined> {
  return readFile(join(root, 'dist/embed', path)).catch(() => undefined);
}

function page(side: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bench</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/embed.css">
<script type="module" src="/${side}.js"></script></head><body><main id="root"></main></body></html>`;
}
