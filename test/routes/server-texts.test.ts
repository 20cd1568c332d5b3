import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { copySchemas, withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { startPortal, withPortal } from '../fixtures/portal.ts';

/** Nothing of this file asks the cloud. */
const cloud = { url: 'http://127.0.0.1:9' };
const schemas = withEditedSchemas();
const portal = withPortal(cloud, () => ({ schemasDir: schemas.folder }));
const file = 'text/en/server.json';

/** Code and message of the answer where there is nothing. */
async function missing(url: string): Promise<[code: string, message: string]> {
  const envelope = await (await fetch(`${url}/ui/nothing-here`)).json();
  return [envelope.Resources.code, envelope.Error];
}

async function sendMalformed(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end('no request at all\r\n\r\n');
  socket.setTimeout(30_000, () => socket.destroy(new Error('no answer')));
  return readText(socket);
}

test('an edit of the text of an error is in the next answer', async () => {
  assert.deepEqual(await missing(portal.url), ['NOT_FOUND', 'We could not find what you asked for.']);
  await schemas.editLive(portal, file, text => text.replace('We could not find what you asked for.', 'Gone fishing.'));
  assert.deepEqual(await missing(portal.url), ['NOT_FOUND', 'Gone fishing.']);
});

test('an edit of a text is also in the answer to what is no request', async () => {
  await schemas.editLive(portal, file, text => text.replace('did not understand this request', 'is at a loss'));
  assert.match(await sendMalformed(portal.url), /"Error":"The portal is at a loss\."/);
});

test('a text that is taken away is answered with its code and a plain sentence', async () => {
  await schemas.editLive(portal, file, text => text.replace(/ *"error\.NOT_FOUND": .*\n/, ''));
  assert.deepEqual(await missing(portal.url), ['NOT_FOUND', 'Something went wrong. Please try again.']);
});

for (const [what, spoil] of [
  ['broken', (path: string) => writeFile(path, '{ "error.NOT_FOUND": ')],
  ['wrong', (path: string) => writeFile(path, '{ "$schema": "../../meta/texts.schema.json", "error.NOT_FOUND": 5 }')],
  ['missing', (path: string) => rm(path)],
] as const) {
  test(`a portal starts with ${what} texts, and answers with codes and a plain sentence`, async () => {
    const own = await copySchemas();
    try {
      await spoil(join(own.folder, file));
      const other = await startPortal({ cloudUrl: cloud.url, schemasDir: own.folder });
      try {
        assert.deepEqual(await missing(other.url), ['NOT_FOUND', 'Something went wrong. Please try again.']);
        assert.match(await (await fetch(`${other.url}/login`)).text(), /<noscript>\S.*<\/noscript>/);
      } finally {
        await other.close();
      }
    } finally {
      await own.remove();
    }
  });
}
