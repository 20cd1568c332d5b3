import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);

const root = '/api/customers/10001/email-security/domains';
const call = (method: string, path: string, body?: unknown, headers = {}, who = 'reseller') =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const result = async (path: string) => (await call('GET', path)).body.Result;
type Named = { readonly Name: string; readonly DomainId: string };
const domainOf = async () =>
  `${root}/${(notEmpty((await result(root)).Items) as Named[]).find(({ Name }) => Name === 'contoso.test')?.DomainId}`;
const send = async (list: string, text: string, who = 'reseller') =>
  call('POST', `${await domainOf()}/${list}/rule-file?name=rules.csv`, text, { 'content-type': 'text/csv' }, who);
const sent = async (list: string, text: string) => {
  const { status, body } = await send(list, text);
  assert.equal(status, 200, JSON.stringify(body));
  return `${await domainOf()}/rule-files/${body.Result.FileId}`;
};
type Line = { readonly Line: number; readonly Address: string; readonly Outcome: string; readonly Reason: string };
const linesOf = async (file: string): Promise<readonly Line[]> =>
  notEmpty((await result(`${file}/lines?pageSize=100`)).Items as Line[]);
const totalOf = async (list: string) => (await result(`${await domainOf()}/${list}?pageSize=1`)).Total;

test('a rule file is judged line by line before anything is added', async () => {
  const before = await totalOf('blacklist');
  const file = await sent(
    'blacklist',
    [
      'Address,Note',
      '# a wave of 20 November',
      'Promo@Wave.test,first seen by Ann',
      '@cheap-watches.test',
      '@paperline.test',
      'promo@wave.test',
      '*.co.uk',
      'nobody',
      '',
      "'@quoted-by-spreadsheets.test",
    ].join('\r\n'),
  );
  assert.deepEqual(
    (await linesOf(file)).map(({ Line, Address, Outcome, Reason }) => [Line, Address, Outcome, Reason]),
    [
      [7, '', 'Invalid', 'EntrySuffix'],
      [8, '', 'Invalid', 'EntryMalformed'],
      [5, '@paperline.test', 'Contradicts', ''],
      [3, 'promo@wave.test', 'New', ''],
      [4, '@cheap-watches.test', 'Held', ''],
      [6, 'promo@wave.test', 'Repeated', ''],
      [10, '@quoted-by-spreadsheets.test', 'New', ''],
    ],
  );
  const { New, Held, Invalid, Contradicts, Repeated, Status } = await result(file);
  assert.deepEqual([New, Held, Invalid, Contradicts, Repeated, Status], [2, 1, 2, 1, 1, 'Waiting']);
  const refused = await call('POST', `${file}/load`);
  assert.deepEqual([refused.status, refused.body.Refusals], [409, [{ Code: 'RuleFileInvalid', Data: { Lines: '2' } }]]);
  assert.equal(await totalOf('blacklist'), before);
});

test('a loaded file adds all its entries, is taken back whole, and leaves what others wrote', async () => {
  const before = await totalOf('blacklist');
  const file = await sent('blacklist', 'a@wave-two.test,note\n@wave-three.test\n192.0.2.0/28\n');
  assert.equal((await call('POST', `${await domainOf()}/blacklist`, { Address: '@wave-three.test' })).status, 201);
  assert.equal((await call('POST', `${file}/load`)).status, 200);
  assert.equal(await totalOf('blacklist'), before + 3);
  assert.equal((await call('POST', `${file}/load`)).status, 409);
  assert.equal((await call('POST', `${file}/undo`)).status, 200);
  assert.equal(await totalOf('blacklist'), before + 1);
  assert.equal((await call('POST', `${file}/undo`)).status, 409);
  assert.equal((await result(file)).Status, 'Undone');
});

test('a list that is exported and loaded again gives the same bytes', async () => {
  const list = `${await domainOf()}/whitelist`;
  const headers = { authorization: `Bearer ${tokens.reseller}`, 'actor-id': 'reseller@northwind.test' };
  const exported = async () =>
    Buffer.from(await (await fetch(`${sandbox.url}${list}/rule-file`, { headers })).arrayBuffer()).toString();
  for (const Address of ['ada@bücher.example', '@umlaut-ä.example', '2001:db8::/48'])
    assert.equal((await call('POST', list, { Address, Note: '=kept; as "written"' })).status, 201);
  const first = await exported();
  assert.match(first, /^\ufeffAddress,Note\r\n/);
  const { Items } = await result(`${list}?pageSize=100`);
  for (const { Address } of Items as { Address: string }[]) await call('DELETE', list, { Address });
  assert.equal(await totalOf('whitelist'), 0);
  const file = await sent('whitelist', first);
  assert.equal((await call('POST', `${file}/load`)).status, 200);
  assert.equal(await exported(), first);
});

test('ten thousand lines with one wrong are told by that line, and one more is too many', async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => (index === 6122 ? 'wrong' : `n${index}@many.test`));
  const file = await sent('blacklist', lines.join('\n'));
  assert.deepEqual((await linesOf(file))[0], {
    ...{ Line: 6123, Typed: 'wrong', Address: '', Note: '', Outcome: 'Invalid', Reason: 'EntryMalformed' },
  });
  const more = await send('blacklist', [...lines, 'one@more.test'].join('\n'));
  assert.deepEqual([more.status, more.body.Errors?.File], [400, ['The file has more than 10,000 entries.']]);
  const full = await sent('blacklist', lines.filter(line => line !== 'wrong').join('\n'));
  const refused = await call('POST', `${full}/load`);
  assert.deepEqual([refused.status, refused.body.Refusals], [409, [{ Code: 'EntriesFull', Data: { Most: '10,000' } }]]);
});

test('what is no rule file is refused, and so is whoever may not change the lists', async () => {
  for (const text of ['', '# only a comment', 'PK\u0003\u0004 workbook', '\u0000\u0001\u0002'])
    assert.equal((await send('whitelist', text)).status, 400, text);
  assert.equal((await send('whitelist', 'a@b.test', 'engineer')).status, 403);
  assert.equal((await send('whitelist', 'a@b.test', 'rival')).status, 404);
  const file = await sent('whitelist', 'late@b.test');
  assert.equal((await call('POST', `${file}/load`, undefined, {}, 'rival')).status, 404);
  assert.equal((await call('GET', `${file}/lines`, undefined, {}, 'engineer')).status, 403);
});
