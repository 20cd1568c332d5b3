import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTarget } from '../../server/commands/public/redirect-target.ts';
import type { Access, Version } from '../../server/layouts/index.ts';
import { type Answer, type Client, withPortal } from '../fixtures/portal.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const user = 'user@contoso.test';
const allowed = new Set(['https://partners.example.test', 'https://status.example.test:8443', 'http://127.0.0.1:4999']);
const own = 'https://portal.example.test';

const screens = (...patterns: string[]) =>
  ({ patterns, screens: new Map(patterns.map(pattern => [pattern, {}])) }) as unknown as Access;
const access = screens('/customers');
const version = { patterns: ['/customers', '/login'], access: () => screens('/login') } as unknown as Version;
const read = (given: unknown, more: Partial<Parameters<typeof readTarget>[1]> = {}) =>
  readTarget(given, { allowed, own, ...more }, { version, access });

test('an allowed origin is led to in the parser’s own spelling, and a screen of the portal as a local address', () => {
  assert.deepEqual(read('https://partners.example.test/deals?id=1#top'), {
    kind: 'outside',
    to: 'https://partners.example.test/deals?id=1#top',
    shown: 'https://partners.example.test',
  });
  assert.equal(read('HTTPS://PARTNERS.example.test:443\\a')?.to, 'https://partners.example.test/a');
  assert.deepEqual(read('/customers?page=2'), { kind: 'inside', to: '/customers?page=2', shown: '/customers?page=2' });
  assert.deepEqual(read(`${own}/customers`), { kind: 'inside', to: '/customers', shown: '/customers' });
  assert.equal(read(`${own}/customers`, { own: undefined }), undefined);
});

test('everything else is led nowhere, however it is spelt', () => {
  for (const given of [
    undefined,
    7,
    ['https://partners.example.test'],
    '',
    '/',
    '/login',
    '/nothing',
    '//partners.example.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    'partners.example.test',
    'http://partners.example.test',
    'https://partners.example.test:8443',
    'https://status.example.test',
    'https://partners.example.test.evil.test',
    'https://partners.example.test@evil.test',
    'https://evil.test/https://partners.example.test',
    'https://evil.test\\@partners.example.test',
    'https://evil.test#@partners.example.test',
    'https://user@partners.example.test',
    'https://user:password@partners.example.test',
    'https://partners.example.test%2eevil.test',
    'https://partners%00.example.test',
    'https://pаrtners.example.test',
    'https://partners。evil.test',
    'https%3A%2F%2Fpartners.example.test',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'javascript://partners.example.test/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://partners.example.test/1',
    'file:///etc/passwd',
    'ftp://partners.example.test',
    'ws://partners.example.test',
    `https://partners.example.test/${'a'.repeat(3000)}`,
  ])
    assert.equal(read(given), undefined, String(given));
});

test('whatever is given, only an allowed origin or a screen of the portal comes out', () => {
  const piece = fc.constantFrom(
    'https:',
    'http:',
    'javascript:',
    'data:',
    '//',
    '/',
    '\\',
    '@',
    ':',
    ':443',
    ':8443',
    '#',
    '?',
    '%2f',
    '%5c',
    '%40',
    '\t',
    '\n',
    ' ',
    '.',
    '。',
    'partners.example.test',
    'portal.example.test',
    'evil.test',
    'xn--prtners-8fg.example.test',
    'customers',
    '127.0.0.1:4999',
    '\u202E',
    '😀',
  );
  const pieces = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''));
  // Most that is spelt at random leads nowhere: much begins with what leads somewhere.
  const start = fc.constantFrom('/customers', `${own}/customers`, ...allowed);
  const spelling = fc.oneof(
    pieces,
    fc.tuple(start, pieces).map(([from, rest]) => from + rest),
    fc.webUrl(),
    fc.string(),
  );
  const met = { inside: 0, outside: 0, nowhere: 0 };
  fc.assert(
    fc.property(spelling, given => {
      const target = read(given);
      met[target?.kind ?? 'nowhere'] += 1;
      if (target === undefined) return;
      const url = new URL(target.to, own);
      // With a slash at the end it is the same screen.
      if (target.kind === 'inside')
        assert.deepEqual([url.origin, url.pathname.replace(/\/$/, '')], [own, '/customers']);
      else assert.ok(allowed.has(url.origin) && url.username === '' && url.href === target.to);
    }),
    { numRuns: 3000 },
  );
  assertEvery(Object.values(met), count => count > 20);
});

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { REDIRECT_ALLOW: [...allowed].join(', ') } });

const press = (browser: Client, node: string, command: string, redirectUrl: string): Promise<Answer> =>
  browser.press('redirect', node, `command:redirect.${command}`, { with: { redirectUrl } });

test('a redirect says where it leads, then leads there by the server’s word, and is recorded without its query', async () => {
  const browser = await portal.signIn(user);
  const address = 'https://partners.example.test/deals?secret=canary';
  const opened = await press(browser, 'look-up', 'open', address);
  assert.deepEqual(opened.body, {
    Succeed: true,
    Result: { outcome: 'allowed', address: 'https://partners.example.test' },
  });
  const followed = await press(browser, 'follow', 'follow', address);
  assert.deepEqual(followed.body.effects, [{ do: 'leave', to: address }]);
  const inside = await press(browser, 'follow', 'follow', '/opt-out');
  assert.deepEqual(inside.body.effects, [{ do: 'navigate', to: '/opt-out', replace: true }]);
  const records = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'redirect').orderBy('id').execute(),
  );
  assert.deepEqual(
    records.map(({ account, device, outcome, detail }) => [
      ...[account, device, outcome],
      (detail as unknown as { to: string }).to,
    ]),
    [
      [user, 'Unknown device', 'done', 'https://partners.example.test/deals'],
      [user, 'Unknown device', 'done', '/opt-out'],
    ],
  );
});

test('an address that is not allowed is refused, recorded, and brings no effect', async () => {
  const browser = await portal.signIn(user);
  for (const [node, command] of [
    ['look-up', 'open'],
    ['follow', 'follow'],
  ] as const) {
    const { body } = await press(browser, node, command, 'https://evil.test/\r\nx');
    assert.deepEqual(body, { Succeed: true, Result: { outcome: 'refused' } });
  }
  assert.deepEqual((await browser.press('redirect', 'look-up', 'command:redirect.open')).body.Result, {
    outcome: 'refused',
  });
});

test('neither who signs in at an address nor its query is recorded', async () => {
  const browser = await portal.signIn(user);
  const given = 'https://someone:harbour-lantern@evil.test/a?token=harbour-lantern#harbour-lantern';
  await press(browser, 'follow', 'follow', given);
  const { detail } = await portal.store.run(db =>
    db.selectFrom('audit').select('detail').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
  );
  assert.deepEqual(detail as unknown, { to: 'https://evil.test/a' });
});

test('who is not signed in is asked to, and comes back', async () => {
  const path = '/redirect?redirectUrl=https%3A%2F%2Fpartners.example.test';
  const reply = await portal.client().get(path, { accept: 'text/html' });
  assert.equal(reply.headers.get('location'), `/login?${new URLSearchParams({ return: path })}`);
});
