import assert from 'node:assert/strict';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildClient } from '../../scripts/build/client-bundle.ts';

const project = join(import.meta.dirname, '../..');

test('a build keeps the assets of the one before, and no older ones', async t => {
  const root = await mkdtemp(join(tmpdir(), 'portal-build-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const source of ['client', 'shared', 'package.json', 'tsconfig.json'])
    await cp(join(project, source), join(root, source), { recursive: true });
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  const mains: string[] = [];
  for (const release of [1, 2, 3]) {
    await appendFile(join(root, 'client/main.tsx'), `console.debug('release ${release}');\n`);
    const { manifest } = await buildClient(root);
    mains.push(manifest.main.replace('/assets/', ''));
    assert.deepEqual(JSON.parse(await readFile(join(root, 'dist/client/manifest.json'), 'utf8')), manifest);
  }
  assert.equal(new Set(mains).size, 3);
  const assets = new Set(await readdir(join(root, 'dist/client/assets')));
  assert.deepEqual(
    mains.map(main => [assets.has(main), assets.has(`${main}.br`)]),
    [
      [false, false],
      [true, true],
      [true, true],
    ],
  );
});
