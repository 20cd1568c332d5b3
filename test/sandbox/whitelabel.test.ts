import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putMail } from '../../server/sandbox/outbox/mail.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { makePng } from '../fixtures/png.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'user@contoso.test']);
const base = '/api/whitelabel';
const call = (who: string, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  sandbox.call(tokens[who] ?? '', method, `${base}/${path}`, body, headers);
const read = async (who: string, path: string) => (await call(who, 'GET', path)).body.Result;
const red = { Color_1_1: 'dark', Color_2_1: 'a3341f' };
const save = async (who: string, body: object) => {
  const { Version } = await read(who, 'GetWhiteLabelForSetup');
  return await call(who, 'POST', 'SaveTheme', { ...body, Version });
};
const send = (place: string, type: string, bytes: string | Uint8Array) =>
  call('reseller', 'POST', `logos/${place}`, bytes, { 'content-type': type });
const svg = (inside: string, root = 'viewBox="0 0 326 96"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${root}>${inside}</svg>`;
const codeOf = (reply: { readonly body: { readonly Refusals?: readonly { readonly Code: string }[] } }) =>
  reply.body.Refusals?.[0]?.Code;
const activity = async () =>
  (await sandbox.call(tokens.reseller ?? '', 'GET', '/api/activity?pageSize=50')).body.Result.Items;
const png = (width: number, height: number) => Buffer.from(makePng(width, height).split(',')[1] ?? '', 'base64');

test('a reseller without a brand has that of the portal, and its people are told so', async () => {
  const brand = await read('user', 'getLoginUserWhiteLabel');
  assert.equal(brand.IsCustom, false);
  assert.deepEqual(brand.MarketplaceWhitelabel, { Color_1_1: 'default', Color_2_1: '0b6472' });
  assert.deepEqual(
    (await read('reseller', 'GetWhiteLabelThemes')).map(({ Value }: { Value: string }) => Value),
    ['dark', 'light', 'default'],
  );
});

test('what is tried is seen by whoever tries it alone, and by everybody of the reseller once it is saved', async () => {
  const tried = await call('reseller', 'POST', 'getpreviewtheme', red);
  assert.equal(tried.body.Result.Contrasts.length, 8);
  assert.equal((await read('reseller', 'getLoginUserWhiteLabel')).MarketplaceWhitelabel.Color_2_1, 'a3341f');
  assert.equal((await read('reseller', 'getLoginUserWhiteLabel')).IsTried, true);
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).IsCustom, false);

  assert.equal((await save('reseller', { ...red, PrivacyPolicyUrl: 'https://redbrook.test/privacy' })).status, 200);
  for (const who of ['reseller', 'engineer', 'user']) {
    const { MarketplaceWhitelabel, IsTried, IsCustom } = await read(who, 'getLoginUserWhiteLabel');
    assert.deepEqual([MarketplaceWhitelabel, IsTried, IsCustom], [red, false, true], who);
  }
  assert.deepEqual(await read('user', 'hasCustomPrivacyPolicy'), {
    HasCustomPrivacyPolicy: true,
    PrivacyPolicyUrl: 'https://redbrook.test/privacy',
  });
  const [last] = await activity();
  assert.deepEqual([last.Action, last.Target], ['Brand changed', 'Brand']);
  assert.match(last.After, /Theme: dark; Accent: #a3341f; Privacy policy: https:\/\/redbrook\.test\/privacy/);
});

test('the brand of a partner’s link is told to anybody, and that of an unknown one to nobody', async () => {
  assert.match((await read('reseller', 'GetWhiteLabelForSetup')).Link, /^https?:\/\/[^/]+\/with\/northwind$/);
  const found = await (await fetch(`${sandbox.url}${base}/of-address?link=Northwind`)).json();
  assert.equal((found as { Result: { Name: string } }).Result.Name, 'Northwind');
  for (const query of ['link=unknown', 'host=northwind', ''])
    assert.equal((await fetch(`${sandbox.url}${base}/of-address?${query}`)).status, 404, query);
});

test('with DisablePartnerLevelWhitelabel the reseller’s people see the portal’s own look, and its customers the brand', async () => {
  const { db } = sandbox;
  const set = (enabled: boolean) =>
    db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'DisablePartnerLevelWhitelabel').execute();
  await set(true);
  const seen = async (who: string) => (await read(who, 'getLoginUserWhiteLabel')).IsCustom;
  assert.deepEqual([await seen('reseller'), await seen('engineer'), await seen('user')], [false, false, true]);
  await set(false);
});

test('an accent nobody can read is refused with the nearest that can be, and one that is no colour with its field', async () => {
  const refused = await save('reseller', { Color_1_1: 'light', Color_2_1: 'FFFF00' });
  assert.deepEqual(refused.body.Refusals, [
    { Field: 'Color_2_1', Code: 'AccentUnreadable', Data: { Nearest: '#948f00' } },
  ]);
  for (const Color_2_1 of ['', 'red', '12345', '#a3341f', 'a3341f}'])
    assert.equal((await save('reseller', { ...red, Color_2_1 })).status, 400, Color_2_1);
  for (const PrivacyPolicyUrl of ['http://a.test', 'javascript:alert(1)', 'https://user@a.test', 'https://a'])
    assert.equal((await save('reseller', { ...red, PrivacyPolicyUrl })).status, 400, PrivacyPolicyUrl);
});

test('a brand that somebody else has changed meanwhile is not overwritten; a change is undone once', async () => {
  const stale = await call('reseller', 'POST', 'SaveTheme', { ...red, Version: 0 });
  assert.equal(codeOf(stale), 'BrandChanged');
  await save('reseller', { ...red, Color_1_1: 'light' });
  assert.equal((await call('reseller', 'POST', 'undo')).status, 200);
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).MarketplaceWhitelabel.Color_1_1, 'dark');
  assert.equal(codeOf(await call('reseller', 'POST', 'undo')), 'UndoOver');
});

test('an SVG is rebuilt from what a logo may have, at the size that it is shown', async () => {
  const drawn = svg(
    '<title>x</title><metadata><rdf:RDF>y</rdf:RDF></metadata><g style="fill:#a3341f;-inkscape-x:1"><path d="M0 0h9v9z" data-x="1"/></g>' +
      '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><rect width="9" height="9" fill="url(#a)"/><text x="1">Redbrook &amp; Co</text>',
  );
  const { Result } = (await send('desktop', 'image/svg+xml', drawn)).body;
  assert.deepEqual([Result.Width, Result.Height, Result.IsSvg], [163, 48, true]);
  const { body } = await call('user', 'GET', `getUserLogo/${Result.Id}`);
  const kept = Buffer.from(body.Result.DesktopImageString, 'base64').toString();
  assert.equal(
    kept,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 326 96" width="326" height="96"><g fill="#a3341f"><path d="M0 0h9v9z"></path></g>' +
      '<defs><linearGradient id="a"><stop offset="0" stop-color="red"></stop></linearGradient></defs><rect width="9" height="9" fill="url(#a)"></rect><text x="1">Redbrook &amp; Co</text></svg>',
  );
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).DesktopLogo, null);
  await save('reseller', red);
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).DesktopLogo.Id, Result.Id);
  assert.equal((await read('user', 'getLoginUserLogo')).IsSvg, true);
});

const refused: readonly (readonly [code: string, type: 'svg+xml' | 'png', bytes: string | Buffer])[] = [
  ['LogoScript', 'svg+xml', svg('<script>alert(1)</script>')],
  ['LogoScript', 'svg+xml', svg('<path d="M0 0" onload="alert(1)"/>')],
  ['LogoScript', 'svg+xml', svg('<a href="https://a.test"><path d="M0 0"/></a>')],
  ['LogoScript', 'svg+xml', svg('<g href="javascript:alert(1)"/>')],
  ['LogoScript', 'svg+xml', svg('<foreignObject><p>x</p></foreignObject>')],
  ['LogoScript', 'svg+xml', svg('', 'viewBox="0 0 9 9" onclick="x()"')],
  ['LogoAnimated', 'svg+xml', svg('<path d="M0 0"><animate attributeName="x"/></path>')],
  ['LogoAnimated', 'svg+xml', svg('<set attributeName="href" to="x"/>')],
  ['LogoOutside', 'svg+xml', svg('<image href="https://a.test/x.png"/>')],
  ['LogoOutside', 'svg+xml', svg('<use href="#a"/>')],
  ['LogoOutside', 'svg+xml', svg('<path style="fill:url(https://a.test/x)"/>')],
  ['LogoOutside', 'svg+xml', svg('<linearGradient xlink:href="//a.test/#g"/>')],
  ['LogoStyles', 'svg+xml', svg('<style>@import url(x)</style>')],
  ['LogoElement', 'svg+xml', svg('<filter id="a"/>')],
  ['LogoElement', 'svg+xml', svg('<svg viewBox="0 0 1 1"/>')],
  ['LogoBomb', 'svg+xml', `<!DOCTYPE svg [<!ENTITY a "ha">]>${svg('<text>&a;</text>')}`],
  ['LogoBomb', 'svg+xml', svg('<g>'.repeat(40) + '</g>'.repeat(40))],
  ['LogoBomb', 'svg+xml', svg('<path/>'.repeat(2001))],
  ['LogoUnreadable', 'svg+xml', svg('', '')],
  ['LogoUnreadable', 'svg+xml', 'GIF89a'],
  ['LogoUnreadable', 'svg+xml', '<html><body>x</body></html>'],
  ['LogoUnreadable', 'png', 'no picture'],
  ['LogoUnreadable', 'png', png(10, 10).subarray(0, 60)],
  ['LogoPixels', 'png', png(700, 100)],
  ['LogoPixels', 'png', Buffer.concat([png(1, 1).subarray(0, 16), Buffer.alloc(8, 0x7f), png(1, 1).subarray(24)])],
];

test('files that run, move, fetch, burst or are no picture are refused by name, and the refusal is in the activity', async () => {
  for (const [code, type, bytes] of refused) {
    const reply = await send('desktop', `image/${type}`, bytes);
    const wanted = code === 'LogoUnreadable' && String(bytes).startsWith('<html') ? 'LogoElement' : code;
    assert.equal(codeOf(reply), wanted, String(bytes).slice(0, 120));
  }
  const rows = (await activity()).filter(({ Action }: { Action: string }) => Action === 'Logo refused');
  assert.equal(rows.length, refused.length);
  assert.match(rows[0].Detail ?? rows[0].After ?? '', /desktop|Logo/);
  assert.equal((await send('desktop', 'image/png', Buffer.alloc(100_001))).status, 413);
  assert.equal((await send('desktop', 'image/gif', 'GIF89a')).status, 415);
  assert.equal((await send('elsewhere', 'image/png', png(9, 9))).status, 404);
});

test('a PNG is written anew from its pixels, and is a logo for phones alone', async () => {
  const given = png(326, 48);
  const { Result } = (await send('mobile', 'image/png', Buffer.concat([given, Buffer.from('')]))).body;
  assert.deepEqual([Result.Width, Result.Height], [163, 24]);
  await save('reseller', red);
  const { MobileImageString } = await read('user', 'getLoginUserLogo');
  assert.equal(Buffer.from(MobileImageString, 'base64').readUInt32BE(16), 326);
  await call('reseller', 'POST', 'logos/mobile/remove');
  await save('reseller', red);
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).MobileLogo, null);
});

test('mails and invoices show the name, or the picture, and the accent of the brand', async () => {
  const { db } = sandbox;
  await db
    .transaction()
    .execute(trx =>
      putMail(trx, { recipient: 'user@contoso.test', subject: 'Hello', body: 'See https://a.test/x & go' }, new Date()),
    );
  const outbox = async () => await (await fetch(`${sandbox.url}/outbox`)).text();
  assert.match(await outbox(), /<b style="font-size:20px;color:#9a2b16">Northwind<\/b>/);
  assert.match(await outbox(), /<a href="https:\/\/a.test\/x" style="color:#9a2b16">/);
  const invoices = (await sandbox.call(tokens.reseller ?? '', 'GET', '/billing/invoices')).body.Result.Items;
  const download = async () => {
    const address = `${sandbox.url}/billing/invoices/${invoices[0].Id}/download`;
    const headers = { authorization: `Bearer ${tokens.reseller}`, 'actor-id': 'reseller@northwind.test' };
    return readPdf(Buffer.from(await (await fetch(address, { headers })).arrayBuffer()));
  };
  assert.match((await download()).text, /^Northwind/);
  assert.doesNotMatch((await download()).source, /\/Subtype \/Image/);

  await send('desktop', 'image/png', png(100, 40));
  await save('reseller', red);
  assert.match(await outbox(), /<img src="data:image\/png;base64,[^"]+" alt="Northwind" width="100" height="40">/);
  const { source } = await download();
  assert.match(source, /\/Subtype \/Image/);
  assert.match(source, /\/Alt \(Northwind\)/);
});

test('reset takes everything off; what it took can be had back', async () => {
  await call('reseller', 'POST', 'reset');
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).IsCustom, false);
  await call('reseller', 'POST', 'undo');
  assert.equal((await read('user', 'getLoginUserWhiteLabel')).DesktopLogo.IsSvg, false);
});
