import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printWeights, type Weight, weighBundle } from './build/byte-budget.ts';
import { buildClient, buildEmbed } from './build/client-bundle.ts';
import { buildServer } from './build/server-bundle.ts';
import { hashSources } from './build/source-hash.ts';

/** What `dist/build.json` remembers of the last good build. */
type Stamp = { readonly sources: string; readonly weights: readonly Weight[] };

const root = join(import.meta.dirname, '..');
const stampFile = join(root, 'dist/build.json');

const sources = await hashSources(root);
const last = await readStamp();
if (last?.sources === sources && !process.argv.includes('--force')) {
  console.log('The build is up to date.');
} else {
  await buildAll().catch((error: Error) => {
    console.error(`The build failed: ${error.message}`);
    process.exitCode = 1;
  });
}

async function buildAll(): Promise<void> {
  await rm(stampFile, { force: true });
  const [client] = await Promise.all([buildClient(root), buildEmbed(root), buildServer(root)]);
  const weights = weighBundle(client);
  console.log(`Bytes as they travel (brotli):\n${printWeights(weights)}`);
  if (weights.some(({ bytes, limit }) => bytes > limit)) throw new Error('it is over its byte budget.');
  await writeFile(stampFile, `${JSON.stringify({ sources, weights } satisfies Stamp, null, 2)}\n`);
}

async function readStamp(): Promise<Stamp | undefined> {
  try {
    return JSON.parse(await readFile(stampFile, 'utf8')) as Stamp;
  } catch {
    return undefined;
  }
}
