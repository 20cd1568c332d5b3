import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { refuseUpgrade } from '../../server/realtime/handshake.ts';
import { inTime, nextEvent } from '../fixtures/wait.ts';

test('a refused upgrade holds no connection, though the other side keeps its end open', async t => {
  // As the sockets of an HTTP server are.
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const asker = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => {
    asker.destroy();
    server.close();
  });
  const [served] = (await nextEvent(server, 'connection')) as [Socket];
  const closed = nextEvent(served, 'close');
  const answer = inTime('The answer', text(asker));
  refuseUpgrade(served, 403);
  await closed;
  assert.match(await answer, /^HTTP\/1\.1 403 /);
});
