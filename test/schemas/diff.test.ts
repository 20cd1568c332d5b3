import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Json, type SchemaSet, writeSchemas } from '../fixtures/schemas.ts';
import { runSchemas, runSchemasProgram } from '../fixtures/schemas-tool.ts';

const name = { id: 'name', title: 't.a', path: 'row.Name' };
const spend = { id: 'spend', title: 't.b', path: 'row.Spend' };
/** The names that commands of the portal require, and a permission of the shop. */
const productAccess = JSON.parse(readFileSync('schemas/access.json', 'utf8'));
const access = { ...productAccess, permissions: [...productAccess.permissions, 'add'], unused: {} };
const staff = { userTypes: ['reseller', 'engineer'] };

type Shop = {
  readonly columns?: readonly Json[];
  readonly operation?: Json;
  readonly screen?: Json;
  readonly title?: string;
};

/** A shop with one list of customers, whose Spend is for those with prices. */
const shop = ({ columns = [name], operation = {}, screen = {}, title = 'Shop' }: Shop = {}): SchemaSet => ({
  operations: {
    'shop.list': {
      service: 'cloud',
      method: 'GET',
      path: '/api/shop',
      requires: staff,
      reply: { Items: [{ Id: 'id', Name: 'text', City: 'text', Spend: 'money' }] },
      ...operation,
    },
  },
  screens: [
    {
      id: 'shop',
      requires: staff,
      data: { customers: { operation: 'shop.list' } },
      children: [
        {
          ...{ type: 'table', id: 'customers', label: 't.label', rows: 'data.customers.Result.Items', key: 'Id' },
          ...{ columns, empty: { title: 't.none' } },
        },
      ],
      ...screen,
    },
  ],
  texts: { t: { title } },
  access,
});

let scratch: string;
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'diff-'));
});
after(() => rm(scratch, { recursive: true, force: true }));

async function diff(old: SchemaSet, now: SchemaSet) {
  const folders = [join(scratch, 'old'), join(scratch, 'now')] as const;
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  await writeSchemas(folders[0], old);
  await writeSchemas(folders[1], now);
  return runSchemas(['diff', ...folders]);
}

test('equal documents give and take nothing', async () => {
  const { code, text } = await diff(shop(), shop());
  assert.match(text, /Nobody gains or loses anything/);
  assert.equal(code, 0);
});

test('a text that changes gives and takes nothing', async () => {
  const { code, text } = await diff(shop(), shop({ title: 'Another shop' }));
  assert.match(text, /Nobody gains or loses anything/);
  assert.equal(code, 0);
});

test('a column that is added is gained by those alone who may have its field', async () => {
  const { code, text } = await diff(shop(), shop({ columns: [name, spend] }));
  assert.equal(code, 1);
  assert.match(text, /^screen shop\n {2}reseller with prices, engineer with prices\n/m);
  assert.match(
    text,
    /\+ node table customers › columns spend {2}\[screens\/shop\.json:\d+:\d+\]\n +new; asks for .*prices/,
  );
  assert.match(text, /\+ field Result\.Items\.Spend of shop\.list .*\n +used here now/);
  assert.doesNotMatch(text, /^ +-/m);
});

test('a field that is opened is gained by those who lacked it, with what it asked for', async () => {
  const reply = { Items: [{ Id: 'id', Name: 'text', Spend: { kind: 'money', requires: 'anyone' } }] };
  const columns = [name, spend];
  const { code, text } = await diff(shop({ columns }), shop({ columns, operation: { reply } }));
  assert.equal(code, 1);
  assert.match(text, /^ {2}reseller without prices, engineer without prices$/m);
  assert.match(
    text,
    /\+ field Result\.Items\.Spend of shop\.list .*\n +before: asking for prices; now: asking for nothing/,
  );
});

test('a column without a price is gained by everybody who has the screen', async () => {
  const city = { id: 'city', title: 't.b', path: 'row.City' };
  const { code, text } = await diff(shop(), shop({ columns: [name, city] }));
  assert.equal(code, 1);
  assert.match(text, /^ {2}reseller, engineer\n {4}\+ node table customers › columns city/m);
});

test('a requirement that is loosened says what it asked for and what it asks for now', async () => {
  const closed = shop({ screen: { requires: { ...staff, permissions: ['add'] } } });
  const { code, text } = await diff(closed, shop());
  assert.equal(code, 1);
  assert.match(text, /^ {2}reseller without add, engineer without add\n/m);
  assert.match(
    text,
    /\+ screen shop, with \d+ more nodes in it {2}\[screens\/shop\.json:\d+:\d+\]\n +before: .*permissions add.*; now: asks for .*userTypes reseller or engineer/,
  );
  assert.match(text, /\+ call shop\.list, GET \/api\/shop/);
});

test('a requirement that is tightened takes, and is no widening', async () => {
  const closed = shop({ screen: { requires: { ...staff, permissions: ['add'] } } });
  const { code, text } = await diff(shop(), closed);
  assert.equal(code, 0);
  assert.match(text, /- screen shop, with/);
  assert.doesNotMatch(text, /^ +\+/m);
});

test('a parameter that is added is gained by those who may call, and so is one that the server no longer sets', async () => {
  const page = { with: { page: { type: 'integer' } } };
  const added = await diff(shop(), shop({ operation: page }));
  assert.equal(added.code, 1);
  assert.match(added.text, /\+ parameter page of shop\.list .*\n +new: set by the caller/);
  const own = { ...page, own: { page: { userTypes: ['engineer'], is: 'principal.organisationId' } } };
  const freed = await diff(shop({ operation: own }), shop({ operation: page }));
  assert.equal(freed.code, 1);
  assert.match(
    freed.text,
    /^ {2}engineer\n {4}\+ parameter page of shop\.list .*\n +before: set by the server for engineer; now/m,
  );
});

test('an operation that goes to another address is another call', async () => {
  const { code, text } = await diff(shop(), shop({ operation: { path: '/api/other' } }));
  assert.equal(code, 1);
  assert.match(text, /\+ call shop\.list, GET \/api\/other/);
  assert.match(text, /- call shop\.list, GET \/api\/shop/);
});

test('a folder with errors is refused with their places', async () => {
  const { code, text } = await diff(shop(), shop({ columns: [{ ...name, titel: 't.a' }] }));
  assert.equal(code, 2);
  assert.match(text, /screens\/shop\.json:\d+:\d+: error: "titel" is not known here/);
});

test('a git revision of the schemas folder is compared as a folder is', async () => {
  const checkout = join(scratch, 'checkout');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...args], {
      cwd: checkout,
      timeout: 60_000,
    });
  await writeSchemas(join(checkout, 'schemas'), shop());
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  await writeSchemas(join(checkout, 'schemas'), shop({ columns: [name, spend] }));
  const { code, text } = await runSchemasProgram(['diff', 'HEAD'], checkout);
  assert.equal(code, 1, text);
  assert.match(text, /^From HEAD to schemas\n/);
  assert.match(text, /\+ node table customers › columns spend/);
  const unknown = await runSchemasProgram(['diff', 'no-such-revision'], checkout);
  assert.equal(unknown.code, 2);
  assert.match(unknown.text, /"no-such-revision" is no folder, and no git revision with schemas/);
});
