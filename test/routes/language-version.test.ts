import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const portal = withPortal(withSandbox());

/** The first number of the newest version of the layout language. */
async function newestVersion(): Promise<number> {
  const changes = await readFile(join(import.meta.dirname, '../../shared/language/CHANGELOG.md'), 'utf8');
  return Number(/^## (\d+)\.\d+ /m.exec(changes)?.[1]);
}

test('every layout says the version of its language, as it stands in the language’s changelog', async () => {
  const version = await newestVersion();
  assert.ok(version >= 9);
  for (const username of ['', 'reseller@northwind.test', 'user@contoso.test']) {
    const browser = username === '' ? portal.client() : await portal.signIn(username);
    const { body: boot } = await browser.get('/ui/boot');
    const { body: screen } = await browser.get(`/ui/screen?path=${encodeURIComponent(boot.landing)}`);
    assert.equal(screen.layout.language, version, username);
    if (username !== '') assert.equal(boot.navigation.language, version, username);
    const hashes = [...boot.routes.map(([, , hash]: string[]) => hash), ...Object.values(boot.popups)];
    assert.ok(hashes.length > 3);
    for (const hash of hashes) {
      const { body } = await browser.get(`/ui/layouts/${hash}`);
      assert.equal(body.language, version, body.id);
    }
  }
});
