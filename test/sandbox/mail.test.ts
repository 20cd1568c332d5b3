import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const minute = 60_000;
let now = Date.now();
const received: { from: string; to: string[]; text: string }[] = [];
let refuses = '';
let port: number;

/** A mail server that keeps what it is given, or says no. */
function openServer(at: number): Promise<SMTPServer> {
  const made = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(address === refuses ? new Error('No such mailbox') : null),
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', part => {
        text += part;
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  return new Promise(resolve => {
    const listening = made.listen(at, '127.0.0.1', () => {
      port = (listening.address() as AddressInfo).port;
      resolve(made);
    });
  });
}
const close = (open: SMTPServer): Promise<void> => new Promise(resolve => open.close(() => resolve()));

let server: SMTPServer;
setUp(
  async () => {
    server = await openServer(0);
  },
  () => close(server),
);
const sandbox = withSandbox(() => ({
  now: () => new Date(now),
  portalUrl: 'https://portal.example.test',
  mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Cloud <no-reply@cloud.test>' },
}));
setUp(async () => {
  // What the seed has sent is told apart from what comes.
  await sandbox.db.deleteFrom('outbox').execute();
});

const ask = (UserName: string) =>
  fetch(`${sandbox.url}/api/users/reset-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName }),
  });
const latest = () => sandbox.db.selectFrom('outbox').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
const outbox = async (): Promise<string> => (await fetch(`${sandbox.url}/outbox`)).text();

test('mail goes out by the server that is set, as from its sender, once, and the outbox says so', async () => {
  await ask('user@contoso.test');
  assert.equal(received.length, 0);
  await Promise.all([sandbox.tickOnce(), sandbox.tickOnce()]);
  await sandbox.tickOnce();
  assert.equal(received.length, 1);
  const [mail] = received;
  assert.deepEqual([mail?.from, mail?.to], ['no-reply@cloud.test', ['user@contoso.test']]);
  assert.match(mail?.text ?? '', /From: Cloud <no-reply@cloud\.test>/);
  assert.match(
    mail?.text.replaceAll('=\r\n', '') ?? '',
    /https:\/\/portal\.example\.test\/change-password\/endUser\/user%40contoso\.test\//,
  );
  assert.equal((await latest()).state, 'sent');
  assert.match(await outbox(), /<p>Sent<\/p>/);
  assert.match(await outbox(), />\d\d\/\d\d\/\d{4} \d\d:\d\d</);
});

test('a server that is down holds up nobody and loses nothing: the mail waits, ever longer, and goes out later', async () => {
  await close(server);
  assert.equal((await ask('admin@contoso.test')).status, 200);
  await sandbox.tickOnce();
  const waiting = await latest();
  assert.deepEqual([waiting.state, waiting.attempts], ['waiting', 1]);
  assert.match(waiting.failure ?? '', /ECONNREFUSED/);
  assert.match(await outbox(), /Waiting after 1 attempts: .*ECONNREFUSED/);
  await sandbox.tickOnce();
  assert.equal((await latest()).attempts, 1);
  now += minute;
  await sandbox.tickOnce();
  assert.equal((await latest()).attempts, 2);
  server = await openServer(port);
  now += minute;
  await sandbox.tickOnce();
  assert.deepEqual([(await latest()).state, received.at(-1)?.to], ['sent', ['admin@contoso.test']]);
});

test('a mail that the server refuses holds up no other, and is given up after a day', async () => {
  refuses = 'reseller@northwind.test';
  await ask(refuses);
  const { id } = await latest();
  await ask('engineer@northwind.test');
  await sandbox.tickOnce();
  assert.deepEqual(received.at(-1)?.to, ['engineer@northwind.test']);
  const refused = () => sandbox.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.equal((await refused()).state, 'waiting');
  now += 25 * 60 * minute;
  await sandbox.tickOnce();
  assert.equal((await refused()).state, 'given-up');
});

/** Sends a mail to what should be one address, with a subject of two lines; gives what the server took. */
async function sendTo(recipient: string, more: { readonly unsubscribe?: string } = {}) {
  const before = received.length;
  const mail = { created: new Date(now), recipient, subject: 'Hello\r\nBcc: e@contoso.test', body: 'Hello', ...more };
  await sandbox.db
    .insertInto('outbox')
    .values({ ...mail, next_attempt: null, failure: null })
    .execute();
  await sandbox.tickOnce();
  return received.slice(before);
}

test('an address that holds a list, or lines of its own, is one recipient, which no server takes', async () => {
  for (const recipient of ['a@contoso.test, b@contoso.test', 'c@contoso.test\r\nBcc: d@contoso.test']) {
    assert.deepEqual(await sendTo(recipient), []);
    const { state, failure } = await latest();
    assert.equal(state, 'waiting');
    assert.match(failure ?? '', /all recipients were rejected: .*Bad recipient address syntax/);
  }
});

test('a subject of two lines is no second header', async () => {
  const [mail, ...others] = await sendTo('a@contoso.test');
  assert.deepEqual([mail?.to, others], [['a@contoso.test'], []]);
  assert.match(mail?.text ?? '', /^Subject: Hello/m);
  assert.doesNotMatch(mail?.text ?? '', /^Bcc:/m);
});

test('a mail that can be stopped says how in its headers, and by one press where that is safe (RFC 2369, RFC 8058)', async () => {
  const headersOf = async (unsubscribe?: string) => {
    const [mail] = await sendTo('a@contoso.test', unsubscribe === undefined ? {} : { unsubscribe });
    const [head = ''] = (mail?.text ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n\r\n');
    return head.split('\r\n').filter(line => line.startsWith('List-Unsubscribe'));
  };
  const address = 'https://portal.example.test/unsubscribe/abc';
  assert.deepEqual(await headersOf(address), [
    `List-Unsubscribe: <${address}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ]);
  assert.deepEqual(await headersOf('http://127.0.0.1:3000/unsubscribe/abc'), [
    'List-Unsubscribe: <http://127.0.0.1:3000/unsubscribe/abc>',
  ]);
  assert.deepEqual(await headersOf(), []);
});
