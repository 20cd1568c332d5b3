import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { List, Resource } from '../../server/sandbox/resource/declaration.ts';
import { declaredResources } from '../fixtures/declared-resources.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

/** Rows of each stand in the seed for Contoso, or for the caller. */
const declared = notEmpty(declaredResources);

type Body = Readonly<Record<string, unknown>>;
/** By noun, what makes a row and what changes it; whoever declares a resource that takes bodies says so here. */
const samples: Readonly<Record<string, { readonly create: Body; readonly change: Body }>> = {
  user: {
    create: { FirstName: 'Wanda', LastName: 'Contract', Email: 'wanda.contract@contoso.test', Type: 'endUser' },
    change: { FirstName: 'Wilma', Phone: '01134960999', JobTitle: 'Clerk' },
  },
  domain: { create: { Name: 'contract.test' }, change: {} },
  'shared mailbox': {
    create: { Name: 'Contract', Address: 'shared.contract@contoso.test' },
    change: { Name: 'Contracts' },
  },
  'room mailbox': {
    create: { Name: 'Contract room', Address: 'room.contract@contoso.test', Capacity: 8 },
    change: { Name: 'Contract hall', Capacity: 80, AllowsConflicts: true },
  },
  'distribution group': {
    create: { Name: 'Contract', Address: 'contract@contoso.test' },
    change: { Name: 'Contracts', Hidden: true },
  },
  'filtered domain': { create: { Name: 'contoso-events.test' }, change: {} },
  entry: { create: { Address: 'contract@entry.test' }, change: {} },
};

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'noaccess@northwind.test']);
/** What stands in addresses for the rows that others belong to, by parameter. */
const parents: Record<string, string> = {};
// Nobody is deleted in the seed, no rule file waits, and there are no mailboxes that several share.
setUp(async () => {
  const filtered = '/api/customers/10001/email-security/domains';
  parents.filteredId = (await call('reseller', 'GET', filtered)).body.Result.Items[0].DomainId;
  for (const name of ['one', 'two'])
    await call('reseller', 'POST', `${filtered}/${parents.filteredId}/blacklist/rule-file?name=${name}`, '@one.test', {
      'content-type': 'text/csv',
    });
  await call('reseller', 'PUT', '/api/customers/10001/exchange/shared-mailboxes', { Most: 20 });
  for (const Name of ['Alder', 'Birch', 'Cedar'])
    for (const kind of ['shared', 'room']) {
      const body = { Name, Address: `${kind}.${Name.toLowerCase()}@contoso.test` };
      const made = await call('reseller', 'POST', `/api/customers/10001/${kind}-mailboxes`, body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
    }
  for (const FirstName of ['Dora', 'Dov', 'Dunya']) {
    const body = {
      FirstName,
      LastName: 'Gone',
      Email: `${FirstName}.gone@contoso.test`.toLowerCase(),
      Type: 'endUser',
    };
    const made = await call('reseller', 'POST', '/api/customers/10001/users', body);
    await call('reseller', 'DELETE', `/api/customers/10001/users/${made.body.Result.userId}`);
  }
});

// biome-ignore lint/suspicious/noExplicitAny: rows have the fields of their resource
type Row = Record<string, any>;
const call = (who: string, method: string, path: string, body?: object | string, headers?: Record<string, string>) =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const addressOf = (path: string, customer = '10001') =>
  path.replace(':customerId', customer).replace(/:(\w+)/g, (whole, name: string) => parents[name] ?? whole);
const rowAddress = ({ path, key }: Resource, id: string, customer?: string) =>
  `${addressOf(path, customer)}/${id}`.replace(`:${key}`, id);

/** All rows that a query finds, page by page, and the last of its replies. */
async function readAll(path: string, { largestPage, withoutTotal }: List, query: Record<string, string> = {}) {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const asked = largestPage === undefined ? query : { ...query, page: String(page), pageSize: '7' };
    const { status, body } = await call('reseller', 'GET', `${addressOf(path)}?${new URLSearchParams(asked)}`);
    assert.equal(status, 200, JSON.stringify(body));
    const items: Row[] = withoutTotal ? body.Result : body.Result.Items;
    rows.push(...items);
    if (largestPage === undefined || items.length < 7) return { rows, result: body.Result };
  }
}
const lists = declared.flatMap(resource =>
  Object.entries({ [resource.path]: resource.list, ...resource.lists }).map(
    ([path, list]) => [resource, path, list] as const,
  ),
);
const idIn = ({ fields, keyField }: Resource): string =>
  keyField ?? fields.find(({ name, column }) => name === 'Id' || column === 'id')!.name;
const fieldFor = ({ fields }: Resource, parameter: string) =>
  fields.find(({ name, only }) => name.toLowerCase() === parameter.toLowerCase() && only !== 'details');

for (const [resource, path, list] of notEmpty(lists)) {
  test(`${path}: pages hold each row once, sorted both ways, and say how many there are`, async () => {
    const { rows, result } = await readAll(path, list);
    const ids = notEmpty(rows).map(row => row[idIn(resource)]);
    assert.equal(new Set(ids).size, ids.length);
    if (!list.withoutTotal) assert.equal(result.Total, rows.length);
    if (list.largestPage === undefined) return;
    for (const { name } of resource.fields.filter(field => field.sorts)) {
      const [up, down] = [await readAll(path, list, { sort: name }), await readAll(path, list, { sort: `-${name}` })];
      assert.equal(up.rows.length, rows.length, name);
      assert.deepEqual(
        down.rows.map(row => row[idIn(resource)]),
        up.rows.map(row => row[idIn(resource)]).reverse(),
        name,
      );
    }
    const tooMany = await call('reseller', 'GET', `${addressOf(path)}?pageSize=${list.largestPage + 1}`);
    assert.equal(tooMany.status, 400);
  });

  const searched = resource.fields.filter(field => field.searched).map(({ name }) => name);
  if (searched.length > 0)
    test(`${path}: a search finds rows by what it looks in, and by nothing else`, async () => {
      const { rows } = await readAll(path, list);
      for (const name of searched) {
        const wanted = String(notEmpty(rows)[0]![name]).slice(1, 6);
        const found = await readAll(path, list, { search: wanted.toUpperCase() });
        const texts = (row: Row) =>
          searched
            .map(one => row[one])
            .join(' ')
            .toLowerCase();
        assert.deepEqual(
          found.rows.map(row => row[idIn(resource)]),
          rows.filter(row => texts(row).includes(wanted.toLowerCase())).map(row => row[idIn(resource)]),
          wanted,
        );
      }
      assert.deepEqual((await readAll(path, list, { search: 'nobody is called so' })).rows, []);
    });

  if (list.filters || list.csv)
    test(`${path}: each filter leaves the rows of its value, as the counts and the file say`, async () => {
      const whole = await readAll(path, list);
      for (const [parameter, rule] of Object.entries(list.filters ?? {})) {
        const field = fieldFor(resource, parameter)!.name;
        const present = notEmpty([...new Set(whole.rows.flatMap(row => row[field] ?? []))].map(String));
        const { enum: values = present.slice(0, 2) } = rule as { enum?: readonly string[] };
        for (const value of values) {
          const { rows, result } = await readAll(path, list, { [parameter]: value });
          const expected = value === 'all' ? whole.rows : whole.rows.filter(row => row[field] === value);
          assert.deepEqual(rows, expected, `${parameter}=${value}`);
          for (const [name, counted] of Object.entries(list.counts?.values ?? {}))
            if (list.counts?.filter === parameter && counted === value) assert.equal(result.Counts[name], rows.length);
        }
        assert.equal((await call('reseller', 'GET', `${addressOf(path)}?${parameter}=other`)).status, 400);
      }
      if (list.csv === undefined) return;
      const reply = await fetch(`${sandbox.url}${addressOf(path)}/csv`, {
        headers: { authorization: `Bearer ${tokens.reseller}`, 'actor-id': 'reseller@northwind.test' },
      });
      const file: Row[] = parse(await reply.text(), { bom: true, columns: true });
      assert.equal(file.length, whole.rows.length);
    });

  test(`${path}: who lacks the right is refused, and another reseller sees none of it`, async () => {
    if (list.needs.label !== 'any signed-in caller')
      assert.equal((await call('noaccess', 'GET', addressOf(path))).status, 403);
    const { rows } = await readAll(path, list);
    const own = new Set(notEmpty(rows).map(row => row[idIn(resource)]));
    const { status, body } = await call('rival', 'GET', addressOf(path));
    if (path.includes(':customerId')) assert.equal(status, 404);
    else
      assertEvery((list.withoutTotal ? body.Result : body.Result.Items) as Row[], row => !own.has(row[idIn(resource)]));
  });
}

/** Every call on one row of a resource. */
const callsOnRow = (
  resource: Resource,
): [method: string, address: (id: string, customer?: string) => string, body?: Body][] => {
  const at = (id: string, customer?: string) => rowAddress(resource, id, customer);
  const verbs = Object.keys(resource.verbs ?? {});
  return [
    ...(resource.read ? [['GET', at] as [string, typeof at]] : []),
    ...(resource.change ? [['PUT', at, samples[resource.noun]!.change] as [string, typeof at, Body]] : []),
    ...verbs.map((verb): [string, typeof at] => ['POST', (id, customer) => `${at(id, customer)}/${verb}`]),
    ...(resource.remove ? [['DELETE', at] as [string, typeof at]] : []),
  ];
};

for (const resource of declared.filter(one => callsOnRow(one).length > 0)) {
  const { noun, path, key } = resource;

  test(`${path}/{id}: what is somebody else's, or another customer's, is not there, and who lacks the right is refused`, async () => {
    const { rows } = await readAll(path, resource.list);
    const id = String(notEmpty(rows)[0]![idIn(resource)]);
    for (const [method, at, body] of callsOnRow(resource)) {
      assert.equal((await call('rival', method, at(id), body)).status, 404, `${method} ${at(id)}`);
      const other = at(id, '10002');
      if (other !== at(id))
        assert.equal((await call('reseller', method, other, body)).status, 404, `${method} ${other}`);
      assert.equal((await call('noaccess', method, at(id), body)).status, 403, `${method} ${at(id)}`);
    }
    assert.deepEqual((await readAll(path, resource.list)).rows, rows);
  });

  if (resource.create === undefined) continue;
  const latest = async () => (await call('reseller', 'GET', '/api/customers/10001/activity')).body.Result.Items[0];

  test(`${path}: a ${noun} is made once for each press, changed, moved by verbs from their state alone, and deleted`, async () => {
    const { create, change } = samples[noun]!;
    const press = { 'idempotency-key': randomUUID() };
    const first = await call('reseller', 'POST', addressOf(path), create, press);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    assert.deepEqual((await call('reseller', 'POST', addressOf(path), create, press)).body, first.body);
    const id: string = first.body.Result[key];
    assert.equal((await latest()).Action, resource.create?.action);
    const at = rowAddress(resource, id);
    if (resource.change) {
      const changed = await call('reseller', 'PUT', at, change);
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      assert.equal((await latest()).Action, resource.change.action);
      const { Result: row } = (await call('reseller', 'GET', at)).body;
      for (const [name, value] of Object.entries(change)) assert.equal(row[name], value, name);
      const before = await latest();
      assert.equal((await call('reseller', 'PUT', at, change)).status, 200);
      assert.deepEqual(await latest(), before, 'what changes nothing is not told');
    }
    for (const [name, { action, otherwise, from, to }] of Object.entries(resource.verbs ?? {})) {
      const again = { 'idempotency-key': randomUUID() };
      const done = await call('reseller', 'POST', `${at}/${name}`, undefined, again);
      assert.equal(done.status, 200, name);
      assert.deepEqual((await call('reseller', 'POST', `${at}/${name}`, undefined, again)).body, done.body);
      const refused = await call('reseller', 'POST', `${at}/${name}`);
      assert.deepEqual([refused.status, refused.body.Messages], [409, [otherwise]], name);
      const told = await latest();
      assert.deepEqual([told.Action, told.Before, told.After], [action, Object.values(from)[0], Object.values(to)[0]]);
    }
    if (!resource.remove) return;
    assert.equal((await call('reseller', 'DELETE', at)).status, 200);
    assert.equal((await latest()).Action, resource.remove.action);
    assert.equal((await call('reseller', 'GET', at)).status, 404);
  });
}
