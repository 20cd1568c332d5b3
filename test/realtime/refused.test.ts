import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { refuseUpgrade } from '../../server/realtime/handshake.ts';

test('a refused upgrade holds no connection, though the other side keeps its end open', async t => {
  // As the sockets of an HTTP server are.
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const asker = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => {
    asker.destroy();
    server.close();
  });
  const [served] = (await once(server, 'connection')) as [Socket];
  const closed = once(served, 'close', { signal: AbortSignal.timeout(20_000) });
  refuseUpgrade(served, 403);
  asker.resume();
  await closed;
});
