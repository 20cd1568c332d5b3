import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccounts } from '../../server/cloud/accounts.ts';
import type { Credentials } from '../../server/cloud/call.ts';
import { type Cloud, createCloud } from '../../server/cloud/gate.ts';
import { createLog } from '../../server/log.ts';
import { type Hint, openHub } from '../../server/realtime/hub.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type FakeHub, startFakeHub } from '../fixtures/fake-hub.ts';
import { answerJson, type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';

const credentials: Credentials = {
  actor: 'ann',
  token: () => 'token',
  renew: async () => 'token',
  end: async () => undefined,
};
let proxy: RecordingProxy;
let cloud: Cloud;
let hub: FakeHub;
let negotiations = 0;

before(async () => {
  proxy = await startRecordingProxy();
  cloud = createCloud({ cloud: new URL(proxy.url), auth: new URL(proxy.url) });
  hub = await startFakeHub();
});
after(async () => {
  hub?.close();
  await cloud?.close();
  await proxy?.close();
});

const address = () => hub.url;

function answerNegotiate(url: () => string): void {
  proxy.intercept((_, response) => {
    negotiations += 1;
    return answerJson(response, 200, { url: url(), accessToken: `hub-token-${negotiations}` });
  });
}

function open(): { hints: Hint[]; opened: () => number; close: () => void } {
  const hints: Hint[] = [];
  let opened = 0;
  const line = openHub({
    accounts: createAccounts(cloud, Date.now),
    credentials: () => credentials,
    cloudUrl: new URL(proxy.url),
    log: createLog('silent'),
    onHint: hint => void hints.push(hint),
    onOpen: () => {
      opened += 1;
    },
  });
  return { hints, opened: () => opened, close: line.close };
}

test('a line that breaks is negotiated anew, and every new line says that something may have been missed', async () => {
  answerNegotiate(address);
  hub.asked.length = 0;
  const line = open();
  await eventually(() => line.opened() === 1);
  hub.cut();
  await eventually(() => line.opened() === 2);
  line.close();
  assert.equal(new Set(hub.asked).size, 2);
  assert.match(hub.asked[1] ?? '', /access_token=hub-token-\d+/);
});

test('only known hints are heard, whatever else a message holds', async () => {
  answerNegotiate(address);
  const line = open();
  await eventually(() => line.opened() === 1);
  hub.say(
    { kind: 'evil', html: '<b>' },
    null,
    'notification',
    { kind: 7 },
    { kind: 'notification', content: 'secret' },
    { kind: 'service-changed', organisationId: '1' },
  );
  await eventually(() => line.hints.length === 2);
  line.close();
  assert.deepEqual(line.hints, ['notification', 'service-changed']);
});

test('a hub elsewhere is not connected to unless it is reached over TLS', async () => {
  let told = 0;
  answerNegotiate(() => {
    told += 1;
    return told === 1 ? 'http://hub.evil.test/hub' : address();
  });
  hub.asked.length = 0;
  const line = open();
  await eventually(() => line.opened() === 1);
  line.close();
  assert.equal(hub.asked.length, 1);
});

test('a refused negotiation is swallowed and tried again', async () => {
  let refusals = 2;
  proxy.intercept((_, response) =>
    refusals-- > 0
      ? answerJson(response, 401, { Succeed: false, Error: 'Unauthorized' })
      : answerJson(response, 200, { url: address(), accessToken: 'hub-token' }),
  );
  const line = open();
  await eventually(() => line.opened() === 1);
  line.close();
  assert.equal(refusals, -1, 'negotiated three times');
});
