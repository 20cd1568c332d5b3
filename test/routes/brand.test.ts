import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { partnerCookieName } from '../../server/routes/replies/cookie.ts';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test']);
const portal = withPortal(sandbox);
const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
  const reply = await sandbox.call(tokens.reseller ?? '', method, `/api/whitelabel/${path}`, body, headers);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.Result;
};
const svg = (width: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 36"><path d="M9 21c3-6 9-6 12-10"/></svg>`;

setUp(async () => {
  await sandbox.db
    .updateTable('resellers')
    .set({ name: 'N'.repeat(100) })
    .where('id', '=', 1001)
    .execute();
  for (const [place, width] of [
    ['desktop', 144],
    ['mobile', 40],
  ] as const)
    await call('POST', `logos/${place}`, svg(width), { 'content-type': 'image/svg+xml' });
  const { Version } = await call('GET', 'GetWhiteLabelForSetup');
  await call('POST', 'SaveTheme', {
    ...{ Color_1_1: 'dark', Color_2_1: 'a3341f', Version },
    ...{ Footer: 'x'.repeat(160), PrivacyPolicyUrl: `https://redbrook.test/${'p'.repeat(278)}` },
  });
});

const pageOf = async (headers: Record<string, string> = {}): Promise<string> => {
  const { status, text } = await portal.client().get('/login', { accept: 'text/html', ...headers });
  assert.equal(status, 200);
  return text;
};
/** The brand of a partner's link, as a browser has it that came by the link. */
const branded = { cookie: `${partnerCookieName}=northwind` };

test('a brand with all that it can have costs a page at most 2 KB and asks for its logos alone, with the page', async () => {
  const [plain, own] = [await pageOf(), await pageOf(branded)];
  assert.ok(own.includes('--accent:#a3341f'), 'no accent');
  assert.match(own, /"src":"\/brand\/[\w-]{43}\.svg","width":\d+,"height":\d+/);
  const bytes = Buffer.byteLength(own) - Buffer.byteLength(plain);
  assert.ok(bytes > 500 && bytes <= 2048, `${bytes} bytes`);
  assert.ok(gzipSync(own).length - gzipSync(plain).length <= 2048);
  const asked = (html: string): string[] =>
    [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].flatMap(([, address]) => address ?? []);
  const known = asked(plain);
  const logos = asked(own).filter(address => !known.includes(address));
  assert.equal(logos.length, 2);
  for (const logo of logos) assert.match(logo, /^\/brand\/[\w-]{43}\.svg$/);
});

test('a logo is an image from the portal, taken for nothing else, which runs and loads nothing', async () => {
  const [, src = ''] = /"src":"(\/brand\/[\w-]{43}\.svg)"/.exec(await pageOf(branded)) ?? [];
  const { status, headers, text } = await portal.client().get(src);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'image/svg+xml');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-security-policy') ?? '', /(?:^|; )sandbox(?:;|$)/);
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.match(text, /^<svg /);
  for (const other of [src.replace('svg', 'png'), src.replace('.svg', ''), src.replace(/.\.svg$/, '_.svg')])
    assert.equal((await portal.client().get(other)).status, 404, other);
});
