import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { dropStalled } from '../../server/routes/stalled.ts';

const large = Buffer.alloc(64 * 1024 * 1024);

/** A server that answers with more than any buffer on the way holds, and the connection of one who asks. */
async function ask(t: TestContext, waitFor: number): Promise<{ asker: Socket; served: Promise<Socket> }> {
  const server = createServer((_, response) => response.end(large));
  const stop = dropStalled(server, waitFor);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const served = once(server, 'connection').then(([socket]) => socket as Socket);
  const asker = connect((server.address() as AddressInfo).port, '127.0.0.1');
  asker.on('error', () => undefined);
  t.after(() => {
    stop();
    asker.destroy();
    server.close();
  });
  return { asker, served };
}

const request = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

test('whoever takes nothing of an answer is let go', async t => {
  const { asker, served } = await ask(t, 100);
  asker.pause();
  asker.write(request);
  await once(await served, 'close');
});

test('whoever reads gets all of every answer', async t => {
  const { asker, served } = await ask(t, 60_000);
  let read = 0;
  for (let answer = 1; answer <= 2; answer++) {
    asker.write(request);
    while (read < answer * large.length) read += ((await once(asker, 'data'))[0] as Buffer).length;
  }
  assert.equal((await served).destroyed, false);
});
