import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, entriesFor, readEntry } from '../../server/sandbox/email-security/list-entry.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);

const root = '/api/customers/10001/email-security';
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
const result = async (path: string) => (await call('reseller', 'GET', path)).body.Result;
const refusalOf = ({ status, body }: { readonly status: number; readonly body: { Refusals?: object[] } }) => [
  status,
  ...(body.Refusals ?? []),
];
const domainOf = async (): Promise<string> => {
  const { Items } = await result(`${root}/domains`);
  const rows: readonly { readonly Name: string; readonly DomainId: string }[] = notEmpty(Items);
  return `${root}/domains/${rows.find(({ Name }) => Name === 'contoso.test')?.DomainId}`;
};

test('an entry has one spelling, however it is written', () => {
  for (const [typed, kind, address] of [
    [' Billing@Paperline.TEST ', 'Address', 'billing@paperline.test'],
    ['ada+news@BÜCHER.example', 'Address', 'ada+news@xn--bcher-kva.example'],
    ['@paperline.test.', 'Domain', '@paperline.test'],
    ['paperline.test', 'Domain', '@paperline.test'],
    ['@пример.рф', 'Domain', '@xn--e1afmkfd.xn--p1ai'],
    ['*.Paperline.test', 'Subdomains', '*.paperline.test'],
    ['*.shop.co.uk', 'Subdomains', '*.shop.co.uk'],
    ['192.0.2.7', 'Range', '192.0.2.7'],
    ['192.0.2.77/24', 'Range', '192.0.2.0/24'],
    ['192.0.2.0 - 192.0.2.255', 'Range', '192.0.2.0/24'],
    ['192.0.2.7-192.0.2.9', 'Range', '192.0.2.7-192.0.2.9'],
    ['2001:DB8:0:0::1', 'Range', '2001:db8::1'],
    ['::ffff:192.0.2.7', 'Range', '192.0.2.7'],
    [`${'a'.repeat(64)}@b.test`, 'Address', `${'a'.repeat(64)}@b.test`],
  ] as const) {
    const entry = readEntry(typed);
    assert.deepEqual(typeof entry === 'string' ? entry : [entry.kind, entry.address], [kind, address], typed);
    assert.deepEqual(readEntry((entry as Entry).address), entry, `${typed}, read again`);
  }
});

test('what is no entry is refused with its reason', () => {
  for (const [typed, reason] of [
    ...[
      '',
      '@',
      'a@',
      'a b@c.test',
      'a..b@c.test',
      '.a@c.test',
      'a@b@c.test',
      '*.',
      '*',
      '*@c.test',
      '192.0.2.300',
    ].map(one => [one, 'EntryMalformed'] as const),
    [`${'a'.repeat(65)}@b.test`, 'EntryMalformed'],
    ['"ada lovelace"@b.test', 'EntryQuoted'],
    ['*.co.uk', 'EntrySuffix'],
    ['*.com', 'EntrySuffix'],
    ['*.github.io', 'EntrySuffix'],
    ['0.0.0.0/0', 'EntryWide'],
    ['10.0.0.0-12.0.0.0', 'EntryWide'],
    ['2001::/16', 'EntryWide'],
  ] as const)
    assert.equal(readEntry(typed), reason, typed);
});

test('an address falls under its domain and all above it, but under no public suffix', () => {
  const under = (typed: string) => entriesFor(readEntry(typed) as Entry);
  assert.deepEqual(under('x@a.b.c.test'), ['x@a.b.c.test', '@a.b.c.test', '*.b.c.test', '*.c.test']);
  assert.deepEqual(under('@a.c.test'), ['@a.c.test', '*.c.test']);
  assert.deepEqual(under('*.a.c.test'), ['*.a.c.test', '*.c.test']);
});

test('a list takes an entry once, says who wrote it, and gives it up by its address in any spelling', async () => {
  const list = `${await domainOf()}/blacklist`;
  const add = (Address: string, Note?: string) => call('reseller', 'POST', list, { Address, ...(Note && { Note }) });
  assert.equal((await add('Sales@Loud.test', 'Asked three times')).status, 201);
  const found = (await result(`${list}?search=loud`)).Items;
  assert.deepEqual(
    notEmpty(found as object[]).map(row => ({ ...row, EntryId: '', Created: '' })),
    [
      {
        ...{ EntryId: '', Address: 'sales@loud.test', Kind: 'Address', Note: 'Asked three times' },
        ...{ Author: 'Priya Raman', Created: '' },
      },
    ],
  );
  const again = refusalOf(await add('sales@LOUD.test'));
  assert.deepEqual(again, [400, { Field: 'Address', Code: 'EntryHeld', Data: { By: 'Priya Raman' } }]);
  assert.deepEqual(refusalOf(await add('*.co.uk')), [400, { Field: 'Address', Code: 'EntrySuffix' }]);
  assert.equal((await call('reseller', 'DELETE', list, { Address: 'SALES@loud.test' })).status, 200);
  assert.equal((await call('reseller', 'DELETE', list, { Address: 'sales@loud.test' })).status, 404);
  assert.equal((await result(`${list}?search=loud`)).Total, 0);
});

test('who is typing an entry is told what else says something about the same senders', async () => {
  const domain = await domainOf();
  const check = async (list: string, address: string) =>
    await result(`${domain}/${list}-check?Address=${encodeURIComponent(address)}`);
  assert.deepEqual(await check('whitelist', 'Ann@eu.Bulk-Offers.test'), {
    ...{ Code: 'Free', Address: 'ann@eu.bulk-offers.test' },
    Overlaps: [{ List: 'Black', Address: '*.bulk-offers.test' }],
  });
  assert.deepEqual(await check('blacklist', 'paperline.test'), {
    ...{ Code: 'Free', Address: '@paperline.test' },
    Overlaps: [{ List: 'White', Address: '@paperline.test' }],
  });
  assert.equal((await check('whitelist', '@paperline.test')).Code, 'EntryHeld');
  assert.deepEqual(await check('whitelist', '*.co.uk'), { Code: 'EntrySuffix', Address: '*.co.uk', Overlaps: [] });
  await call('reseller', 'POST', `${domain}/blacklist`, { Address: '198.51.100.0/24' });
  assert.deepEqual((await check('whitelist', '198.51.100.7')).Overlaps, [
    { List: 'Black', Address: '198.51.100.0/24' },
  ]);
});

test('each setting of a domain has a call of its own, and stands in the activity of the customer', async () => {
  const domain = await domainOf();
  const put = (name: string, body: object) => call('reseller', 'PUT', `${domain}/${name}`, body);
  const saved = [
    await put('spam-level', { SpamLevel: 'High' }),
    await put('archive-level', { ArchiveLevel: 'All' }),
    await put('virus-notification', { VirusNotification: 'None' }),
    await put('inbound-delivery', { InboundHost: 'Mail.Contoso.TEST' }),
    await put('journaling-feed', { JournalAddress: 'journal@contoso.test' }),
    await put('backscatter-filtering', { Backscatter: false }),
  ];
  assert.deepEqual(new Set(saved.map(({ status }) => status)), new Set([200]));
  const { SpamLevel, ArchiveLevel, VirusNotification, InboundHost, JournalAddress, Backscatter } = await result(domain);
  assert.deepEqual(
    [SpamLevel, ArchiveLevel, VirusNotification, InboundHost, JournalAddress, Backscatter],
    ['High', 'All', 'None', 'mail.contoso.test', 'journal@contoso.test', false],
  );
  const { Items } = await result('/api/customers/10001/activity?pageSize=10');
  const told = (Items as { Action: string; Before: string; After: string }[]).filter(({ Action }) =>
    /security/.test(Action),
  );
  assert.deepEqual(
    told.slice(-1).map(({ Before, After }) => [Before, After]),
    [['Spam level: Normal', 'Spam level: High']],
  );
  const wrong = await put('journaling-feed', { JournalAddress: 'nobody' });
  assert.deepEqual(refusalOf(wrong), [400, { Field: 'JournalAddress', Code: 'AddressMalformed' }]);
  assert.equal((await put('spam-level', { SpamLevel: 'Extreme' })).status, 400);
});

test('the mail of a domain of the organisation is filtered once, from when it is added until it is removed', async () => {
  const add = (Name: string) => call('reseller', 'POST', `${root}/domains`, { Name });
  assert.deepEqual(await result(`${root}/domain-access-info`), { CanAdd: true, Domains: ['contoso-events.test'] });
  const made = await add('Contoso-Events.test');
  assert.equal(made.status, 201);
  assert.deepEqual(await result(`${root}/domain-access-info`), { CanAdd: false, Domains: [] });
  assert.deepEqual(refusalOf(await add('contoso-events.test')), [400, { Field: 'Name', Code: 'SecurityDomainHeld' }]);
  assert.deepEqual(refusalOf(await add('elsewhere.test')), [400, { Field: 'Name', Code: 'SecurityDomainForeign' }]);
  const id = made.body.Result.filteredId;
  assert.equal((await call('reseller', 'DELETE', `${root}/domains/${id}`)).status, 200);
  assert.deepEqual((await result(`${root}/domain-access-info`)).Domains, ['contoso-events.test']);
});

test('email security is seen with customers, changed with their users, and is not there for a rival', async () => {
  const domain = await domainOf();
  const entry = { Address: 'a@b.test' };
  assert.equal((await call('engineer', 'GET', domain)).status, 200);
  assert.equal((await call('engineer', 'PUT', `${domain}/spam-level`, { SpamLevel: 'Low' })).status, 403);
  assert.equal((await call('engineer', 'POST', `${domain}/whitelist`, entry)).status, 403);
  assert.equal((await call('engineer', 'DELETE', `${domain}/whitelist`, entry)).status, 403);
  for (const [method, path, body] of [
    ['GET', domain],
    ['GET', `${domain}/whitelist`],
    ['GET', `${domain}/whitelist-check?Address=a@b.test`],
    ['PUT', `${domain}/spam-level`, { SpamLevel: 'Low' }],
    ['POST', `${domain}/blacklist`, entry],
    ['DELETE', `${domain}/blacklist`, entry],
    ['DELETE', domain],
  ] as const)
    assert.equal((await call('rival', method, path, body)).status, 404, `${method} ${path}`);
});
