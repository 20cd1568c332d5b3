import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { dropStalled } from '../../server/routes/bounds/stalled-connections.ts';
import { eventually } from '../fixtures/eventually.ts';
import { inTime, nextEvent } from '../fixtures/wait.ts';

const large = Buffer.alloc(64 * 1024 * 1024);

/** A server that answers with more than any buffer on the way holds, and the connection of one who asks. */
async function ask(
  t: TestContext,
  waitFor: number,
  answer: RequestListener = (_, response) => response.end(large),
): Promise<{ asker: Socket; served: Promise<Socket> }> {
  const server = createServer(answer);
  server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const stop = dropStalled(server, waitFor);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const served = nextEvent(server, 'connection').then(([socket]) => socket as Socket);
  const asker = connect((server.address() as AddressInfo).port, '127.0.0.1');
  asker.on('error', () => undefined);
  t.after(() => {
    stop();
    asker.destroy();
    server.close();
    served.then(socket => socket.destroy());
  });
  return { asker, served };
}

/** Fails when the server keeps the connection. */
async function isLetGo(served: Socket): Promise<void> {
  await eventually(() => served.destroyed, 'the connection was let go');
}

const request = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

test('whoever takes nothing of an answer is let go', async t => {
  const { asker, served } = await ask(t, 100);
  asker.pause();
  asker.write(request);
  await isLetGo(await served);
});

test('what is never answered is let go', async t => {
  const { asker, served } = await ask(t, 100, () => undefined);
  asker.write(request);
  await isLetGo(await served);
});

test('a kept connection on which nothing more is asked for is let go', async t => {
  const { asker, served } = await ask(t, 100, (_, response) => response.end());
  asker.write(request);
  const [head] = (await nextEvent(asker, 'data')) as [Buffer];
  assert.match(head.toString(), /connection: keep-alive/i);
  await isLetGo(await served);
});

test('a connection that became another protocol may be silent', async t => {
  const { asker, served } = await ask(t, 50);
  asker.write(request.replace('Host', 'Connection: upgrade\r\nUpgrade: echo\r\nHost'));
  await nextEvent(asker, 'data');
  // One that came later and may not be silent has gone meanwhile.
  const other = await ask(t, 100, () => undefined);
  other.asker.write(request);
  await isLetGo(await other.served);
  assert.equal((await served).destroyed, false);
});

test('whoever reads gets all of every answer', async t => {
  const { asker, served } = await ask(t, 60_000);
  let read = 0;
  asker.on('data', part => {
    read += part.length;
  });
  for (let answer = 1; answer <= 2; answer++) {
    asker.write(request);
    await eventually(() => read >= answer * large.length, `answer ${answer} has come as a whole`);
  }
  assert.equal((await served).destroyed, false);
});

test('whoever reads slowly gets all of an answer, however long it takes', async t => {
  const waitFor = 3000;
  const { asker } = await ask(t, waitFor);
  asker.write(request);
  let read = 0;
  const readSlowly = async (): Promise<void> => {
    for await (const chunk of asker as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (read > large.length) break;
      // All of it in twice the time of silence after which a connection is let go.
      await new Promise(resolve => setTimeout(resolve, (chunk.length / large.length) * 2 * waitFor));
    }
  };
  await inTime('The whole answer', readSlowly(), 120_000);
  assert.ok(read > large.length);
});
