import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { CloudRequest } from '../../server/cloud/call.ts';
import { largestFile } from '../../server/cloud/file.ts';
import { type Cloud, createCloud } from '../../server/cloud/gate.ts';
import { PortalError } from '../../server/errors.ts';
import { answerJson, type Intercept, type Relay, startRelay } from '../fixtures/relay.ts';

let relay: Relay;
let cloud: Cloud;
before(async () => {
  relay = await startRelay();
  cloud = createCloud({ cloud: new URL(relay.url), auth: new URL(relay.url) });
});
after(async () => {
  await cloud?.close();
  await relay?.close();
});

const request: CloudRequest = {
  operation: { service: 'cloud', method: 'GET', path: '/api/paper', file: 'application/pdf' },
  parameters: {},
  credentials: { actor: 'ann', token: () => 'token-1', renew: async () => 'token-2', end: async () => undefined },
};
const content = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x80, 0x0a]);
const pdf = { 'content-type': 'application/pdf' };

/** What comes of it: the bytes of a file, or the code of what went wrong. */
async function outcome(answer: Intercept, timeout = 60_000): Promise<Buffer | string> {
  relay.intercept(answer);
  try {
    const reply = await cloud.open({ ...request, operation: { ...request.operation, timeout } });
    return 'bytes' in reply ? await buffer(reply.bytes) : `${reply.status} ${reply.envelope.Error}`;
  } catch (error) {
    return error instanceof PortalError ? error.code : String(error);
  }
}
const bytes =
  (headers: Record<string, string>, ...chunks: Buffer[]): Intercept =>
  (_, response) => {
    response.writeHead(200, headers);
    for (const chunk of chunks) response.write(chunk);
    response.end();
    return true;
  };

test('a file arrives byte for byte, asked for in the name of the caller, with a newer token where one is refused', async () => {
  relay.exchanges.length = 0;
  const arrived = await outcome((exchange, response) =>
    exchange.headers.authorization === 'Bearer token-1'
      ? answerJson(response, 401, { Succeed: false })
      : bytes({ 'content-type': 'Application/PDF; charset=binary' }, content)(exchange, response),
  );
  assert.deepEqual(arrived, content);
  const { headers = {} } = relay.exchanges[1] ?? {};
  assert.deepEqual(
    [headers.authorization, headers['actor-id'], headers.accept],
    ['Bearer token-2', 'ann', 'application/pdf, application/json'],
  );
});

test('what is no file of the type that was asked for is a clear error, or the words of the cloud', async () => {
  const html = bytes({ 'content-type': 'text/html' }, content);
  assert.equal(await outcome(html), 'UPSTREAM_GARBLED');
  assert.equal(await outcome(bytes({}, content)), 'UPSTREAM_GARBLED');
  const said = (status: number, Succeed: boolean): Intercept => {
    return (_, response) => answerJson(response, status, { Succeed, Error: 'Gone', Result: 'secret' });
  };
  assert.equal(await outcome(said(200, true)), 'UPSTREAM_GARBLED');
  assert.equal(await outcome(said(404, false)), '404 Gone');
  assert.equal(await outcome(said(500, false)), 'UPSTREAM_FAILED');
});

test('a file that is too large, says so or not, and one that does not end, is given up', async () => {
  assert.equal(
    await outcome(bytes({ ...pdf, 'content-length': String(largestFile + 1) }, content)),
    'UPSTREAM_TOO_LARGE',
  );
  const much = Buffer.alloc(largestFile / 2 + 1);
  assert.equal(await outcome(bytes(pdf, much, much)), 'UPSTREAM_TOO_LARGE');
  assert.match(
    String(
      await outcome((_, response) => {
        response.writeHead(200, pdf);
        response.write(content);
        return true;
      }, 400),
    ),
    /Timeout|aborted/,
  );
  assert.equal(await outcome(() => true, 400), 'UPSTREAM_TIMEOUT');
});
