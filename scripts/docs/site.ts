import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { createLoader } from '../../server/layouts/load/load.ts';
import { clientOptions, styleOptions } from '../build/client-bundle.ts';
import { liveExamples } from './examples.ts';
import { addressOf, page, searchIndex } from './page.ts';
import type { Topic } from './topic.ts';
import { topicsOf } from './topics.ts';

/**
 * Gives all topics of the reference of the layout language. Their examples come from the operations of the schemas in
 * `folder`.
 */
export async function readTopics(folder: string): Promise<Topic[]> {
  const { sources } = createLoader(folder)();
  const operations = sources.filter(({ kind }) => kind === 'operations').map(({ json }) => json.operations as object);
  return topicsOf(Object.assign({}, ...operations));
}

/**
 * Writes the reference of the layout language below `folder` as pages that can be served as they are. Deletes what was
 * in `folder` before.
 */
export async function writeSite(root: string, folder: string): Promise<void> {
  const topics = await readTopics(join(root, 'schemas'));
  const { live, long } = liveExamples(topics);
  const outdir = join(folder, 'layout');
  await rm(folder, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const write = async (address: string, html: string): Promise<void> => {
    const file = join(folder, address.replace(/^\/docs\//, ''), 'index.html');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
  };
  const flat = { absWorkingDir: root, outdir, entryNames: '[name]' };
  await Promise.all([
    write('/docs/layout/', page(topics, undefined)),
    ...topics.map(topic =>
      write(addressOf(topic), page(topics, topic, { live: live.get(topic), long: long.get(topic) })),
    ),
    writeFile(join(outdir, 'search.json'), JSON.stringify(searchIndex(topics))),
    copyFile(join(root, 'client/look/icons.svg'), join(outdir, 'icons.svg')),
    copyFile(join(root, 'scripts/docs/page.css'), join(outdir, 'page.css')),
    build({
      ...clientOptions('/docs/layout/icons.svg', true),
      ...flat,
      entryPoints: { live: 'scripts/docs/live.ts', search: 'scripts/docs/search.ts' },
    }),
    build({ ...styleOptions(true), ...flat, entryPoints: { live: 'client/look/index.css' } }),
  ]);
}
