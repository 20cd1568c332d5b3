import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CWMOptions, ManageAPI } from 'connectwise-rest';
import { autotask } from '../../server/sandbox/psa/autotask.ts';
import { connectWise } from '../../server/sandbox/psa/connectwise.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
setUp(() => {
  fairbank.base = `${sandbox.url}/psa/connectwise`;
});

const keys = {
  companyId: 'fairbank',
  publicKey: 'fairbank-public',
  privateKey: 'fairbank-private',
  clientId: 'portal',
};
const fairbank = { base: '', credentials: keys };

/** The public client, of which only the scheme is changed: it knows no other than https. */
function createClient(options: Partial<CWMOptions> = {}): ManageAPI {
  const client = new ManageAPI({
    ...keys,
    companyUrl: `${new URL(sandbox.url).host}/psa/connectwise`,
    logger: () => {},
    ...options,
  });
  for (const part of [client, client.CompanyAPI, client.ProcurementAPI, client.FinanceAPI]) {
    const { instance } = part as unknown as { instance: { defaults: { baseURL: string } } };
    instance.defaults.baseURL = instance.defaults.baseURL.replace('https:', 'http:');
  }
  return client;
}

test('the public client of ConnectWise pages through companies, counts, narrows, sorts and finds them', async () => {
  const client = createClient();
  const conditions = 'deletedFlag=false';
  const all = (await client.paginate(client.CompanyAPI.getCompanyCompanies, { pageSize: 1000 }, { conditions })) as {
    id: number;
    name: string;
  }[];
  const { count } = await client.CompanyAPI.getCompanyCompaniesCount({ conditions });
  assert.ok(all.length > 1900, `${all.length} companies`);
  assert.equal(count, all.length);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);

  const named = await client.CompanyAPI.getCompanyCompanies({
    conditions: 'name like "A%" and id > 0 and deletedFlag = false',
    orderBy: 'name desc',
    pageSize: 5,
    fields: 'id,name',
  });
  assert.equal(named.length, 5);
  for (const company of named) assert.deepEqual(Object.keys(company), ['id', 'name']);
  assertEvery(named, ({ name }) => /^a/i.test(String(name)));
  const names = named.map(({ name }) => String(name));
  assert.deepEqual(names, [...names].sort().reverse());

  const [first] = all;
  const one = await client.CompanyAPI.getCompanyCompaniesById(Number(first?.id));
  assert.equal(one.name, first?.name);
  assert.deepEqual([one.deletedFlag, one.status?.name], [false, 'Active']);
});

test('it reads the catalogue with prices', async () => {
  const items = await createClient().ProcurementAPI.getProcurementCatalog({ conditions: 'inactiveFlag=false' });
  assert.ok(items.length > 5);
  for (const { id, description, price } of items)
    assert.ok(Number.isInteger(id) && description && Number(price) > 0, JSON.stringify({ id, description, price }));
});

test('it is refused as ConnectWise refuses: wrong keys, what is not there, conditions that are none', async () => {
  const refusal = async (asked: Promise<unknown>) => {
    const { status, data } = await asked.then(
      () => assert.fail('answered'),
      (error: { status: number; data: { code: string } }) => error,
    );
    return [status, data.code];
  };
  const client = createClient();
  for (const wrong of [{ privateKey: 'other' }, { publicKey: 'other' }, { companyId: 'northwind' }, { clientId: 'x' }])
    assert.deepEqual(await refusal(createClient(wrong).CompanyAPI.getCompanyCompanies()), [401, 'Unauthorized']);
  assert.deepEqual(await refusal(client.CompanyAPI.getCompanyCompaniesById(1)), [404, 'NotFound']);
  const wrong = { conditions: "name = 'x' or 1=1" };
  assert.deepEqual(await refusal(client.CompanyAPI.getCompanyCompanies(wrong)), [400, 'InvalidCondition']);
  const page = { pageSize: 1001 };
  assert.deepEqual(await refusal(client.CompanyAPI.getCompanyCompanies(page)), [400, 'InvalidParameter']);
});

test('the sandbox reads ConnectWise as the public client does', async () => {
  const client = createClient();
  const conditions = { conditions: 'deletedFlag=false' };
  const theirs = (await client.paginate(client.CompanyAPI.getCompanyCompanies, {}, conditions)) as { id: number }[];
  const ours = await connectWise.read(fairbank, 'customers');
  assert.deepEqual(
    ours.map(({ id }) => Number(id)),
    theirs.map(({ id }) => id),
  );
});

test('it pages through agreements and what they bill, and the sandbox reads the same', async () => {
  const { FinanceAPI } = createClient();
  const conditions = { conditions: 'cancelledFlag=false', pageSize: 1000 };
  const agreements = await FinanceAPI.getFinanceAgreements(conditions);
  assert.ok(agreements.length > 10, `${agreements.length} agreements`);
  const ours = await connectWise.readContracts(fairbank, new Date());
  assert.deepEqual(
    ours.map(({ id, name, customer }) => [Number(id), name, Number(customer)]),
    agreements.map(({ id, name, company }) => [id, name, company?.id]),
  );
  const over: string[] = [];
  for (const { id } of agreements.slice(0, 20)) {
    const additions = await FinanceAPI.getFinanceAgreementsByParentIdAdditions(Number(id));
    const { count } = await FinanceAPI.getFinanceAgreementsByParentIdAdditionsCount(Number(id));
    assert.equal(count, additions.length);
    for (const { cancelledDate } of additions) if (cancelledDate) over.push(cancelledDate);
    assert.deepEqual(
      ours.find(contract => contract.id === String(id))?.lines,
      additions
        .filter(({ cancelledDate, billCustomer }) => !cancelledDate && billCustomer === 'Billable')
        .map(({ id, product, quantity, unitCost, effectiveDate, lessIncluded }) => ({
          ...{ id: String(id), service: String(product?.id), quantity: Number(quantity) - Number(lessIncluded) },
          ...{ cost: unitCost ?? null, since: effectiveDate, ...(lessIncluded && { included: lessIncluded }) },
        })),
    );
  }
  assert.ok(over.length > 0, 'some are billed no longer');
  const [first] = agreements;
  const one = await FinanceAPI.getFinanceAgreements({ conditions: `company/id=${first?.company?.id}` });
  assert.deepEqual(
    one.map(({ name }) => name),
    [first?.name],
  );
});

test('the public client adds and changes what an agreement bills, and the sandbox writes the same', async () => {
  const { FinanceAPI, ProcurementAPI } = createClient();
  const [agreement] = await FinanceAPI.getFinanceAgreements({ conditions: 'cancelledFlag=false' });
  const [product] = await ProcurementAPI.getProcurementCatalog({
    conditions: 'inactiveFlag=false',
    orderBy: 'id desc',
  });
  const parent = Number(agreement?.id);
  const given = { product: { id: Number(product?.id) }, quantity: 3, unitCost: 2.5, billCustomer: 'Billable' };
  const addition = { ...given, effectiveDate: '2026-01-01T00:00:00Z' } as never;
  const { id, quantity, unitCost } = await FinanceAPI.postFinanceAgreementsByParentIdAdditions(parent, addition);
  assert.deepEqual([quantity, unitCost], [3, 2.5]);
  const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }] as never;
  const patch = (operations: never) =>
    FinanceAPI.patchFinanceAgreementsByParentIdAdditionsById(Number(id), parent, operations);
  assert.equal((await patch(replace('quantity', 4))).quantity, 4);
  for (const wrong of [replace('quantity', -1), replace('unitCost', 'much'), [] as never])
    await assert.rejects(patch(wrong), { status: 400 });
  const { id: theirs } = await sandbox.db
    .selectFrom('psa_stand_in_contracts')
    .select('id')
    .where('tenant', '=', 'northwind')
    .executeTakeFirstOrThrow();
  await assert.rejects(FinanceAPI.postFinanceAgreementsByParentIdAdditions(theirs, addition), { status: 404 });

  const contract = String(parent);
  const own = async () =>
    (await connectWise.readLines(fairbank, contract, new Date())).find(line => line.id === String(id)) ?? null;
  const line = await own();
  assert.deepEqual([line?.quantity, line?.cost], [4, 2.5]);
  const write = { contract, line, service: String(product?.id), from: '2026-02-01' };
  await connectWise.writeLine(fairbank, { ...write, after: { quantity: 5, cost: '2.60' } });
  assert.deepEqual(await own(), { ...line, quantity: 5, cost: 2.6 });
  await connectWise.writeLine(fairbank, { ...write, after: null });
  assert.equal(await own(), null);
});

test('only what the customer pays is read of additions, and of agreements those that run', async () => {
  const { FinanceAPI, ProcurementAPI } = createClient();
  const [agreement] = await FinanceAPI.getFinanceAgreements({ conditions: 'cancelledFlag=false', orderBy: 'id desc' });
  const [product] = await ProcurementAPI.getProcurementCatalog({ conditions: 'inactiveFlag=false' });
  const parent = Number(agreement?.id);
  const add = async (values: object) => {
    const addition = { product: { id: Number(product?.id) }, quantity: 10, effectiveDate: '2026-01-01T00:00:00Z' };
    const made = await FinanceAPI.postFinanceAgreementsByParentIdAdditions(parent, { ...addition, ...values } as never);
    return String(made.id);
  };
  const contract = String(parent);
  const read = async (id: string) =>
    (await connectWise.readLines(fairbank, contract, new Date())).find(line => line.id === id);
  assert.equal(await read(await add({ billCustomer: 'DoNotBill' })), undefined);
  assert.equal(await read(await add({ billCustomer: 'NoCharge' })), undefined);
  assert.equal((await read(await add({ billCustomer: 'Billable', lessIncluded: 12 })))?.quantity, 0);
  await assert.rejects(add({ billCustomer: 'Perhaps' }), { status: 400 });

  const included = await add({ billCustomer: 'Billable', lessIncluded: 4 });
  const line = (await read(included)) ?? null;
  assert.equal(line?.quantity, 6);
  const service = String(product?.id);
  const write = { contract, line, service, from: '2026-02-01', after: { quantity: 7, cost: null } };
  await connectWise.writeLine(fairbank, write);
  assert.equal((await read(included))?.quantity, 7);
  const written = await FinanceAPI.getFinanceAgreementsByParentIdAdditionsById(Number(included), parent);
  assert.deepEqual([written.quantity, written.lessIncluded], [11, 4]);

  const isRead = async () => (await connectWise.readContracts(fairbank, new Date())).some(({ id }) => id === contract);
  const endAt = (ends: Date | null) =>
    sandbox.db.updateTable('psa_stand_in_contracts').set({ ends }).where('id', '=', parent).execute();
  for (const [ends, runs] of [
    [null, true],
    [new Date(Date.now() + 86_400_000), true],
    [new Date(Date.now() - 86_400_000), false],
  ] as const) {
    await endAt(ends);
    assert.equal(await isRead(), runs, String(ends));
  }
  await endAt(null);
});

const login = {
  UserName: 'portal@southridge.test',
  Secret: 'southridge-secret',
  ApiIntegrationCode: 'SOUTHRIDGEPORTAL',
};

test('the sandbox reads Autotask page by page, and what is inactive not at all', async () => {
  const tenant = 'southridge';
  await sandbox.db
    .insertInto('psa_stand_in_records')
    .values(
      Array.from({ length: 1200 }, (_, index) => ({
        tenant,
        kind: 'customers' as const,
        name: `Extra ${index}`,
        price: null,
      })),
    )
    .execute();
  const read = await autotask.read({ base: `${sandbox.url}/psa/autotask`, credentials: login }, 'customers');
  const { count } = await sandbox.db
    .selectFrom('psa_stand_in_records')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant', '=', tenant)
    .where('kind', '=', 'customers')
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  assert.equal(read.length, count);
  assert.equal(new Set(read.map(({ id }) => id)).size, count);
  assertEvery(read, ({ name }) => name !== 'Closed Down Traders');
  const services = await autotask.read({ base: `${sandbox.url}/psa/autotask`, credentials: login }, 'services');
  assert.ok(services.length > 5);
  assertEvery(services, ({ price }) => Number(price) > 0);
});

test('the sandbox reads the contracts of Autotask with the units that run, page by page', async () => {
  const address = { base: `${sandbox.url}/psa/autotask`, credentials: login };
  const { id: customer } = await sandbox.db
    .selectFrom('psa_stand_in_records')
    .select('id')
    .where('tenant', '=', 'southridge')
    .where('kind', '=', 'customers')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const services = await autotask.read(address, 'services');
  const [running, over] = await sandbox.db
    .insertInto('psa_stand_in_contracts')
    .values([true, false].map(active => ({ tenant: 'southridge', customer, name: `Extra ${active}`, active })))
    .returning('id')
    .execute();
  assert.ok(running && over);
  const at = new Date();
  const day = (days: number) => new Date(at.getTime() + days * 86_400_000);
  const times = [
    [day(-90), day(-30)],
    [day(-30), day(30)],
    [day(30), null],
  ] as const;
  await sandbox.db
    .insertInto('psa_stand_in_lines')
    .values(
      [running, over].flatMap(({ id }) =>
        times.flatMap(([starts, ends]) =>
          Array.from({ length: 600 }, (_, index) => ({
            contract: id,
            service: Number(services[index % services.length]?.id),
            quantity: index,
            starts,
            ends,
          })),
        ),
      ),
    )
    .execute();
  const contracts = await autotask.readContracts(address, at);
  assert.ok(contracts.length > 1);
  const read = contracts.filter(({ name }) => name.startsWith('Extra'));
  assert.deepEqual(
    read.map(({ id, customer }) => [id, customer]),
    [[String(running.id), String(customer)]],
  );
  assert.deepEqual(
    read[0]?.lines.map(({ quantity }) => quantity),
    Array.from({ length: 600 }, (_, index) => index),
  );
});

test('units of Autotask are adjusted from a day on, and never below nothing', async () => {
  const address = { base: `${sandbox.url}/psa/autotask`, credentials: login };
  const { id: contract } = (await autotask.readContracts(address, new Date()))[0]!;
  const service = String((await autotask.read(address, 'services')).at(-1)?.id);
  const own = async (at = new Date()) =>
    (await autotask.readLines(address, contract, at)).find(line => line.service === service) ?? null;
  assert.equal(await own(), null);
  const write = { contract, service };
  await autotask.writeLine(address, { ...write, line: null, after: { quantity: 3, cost: '2.50' }, from: '2026-01-01' });
  const line = await own();
  assert.deepEqual([line?.quantity, line?.cost], [3, 2.5]);
  await autotask.writeLine(address, { ...write, line, after: { quantity: 5, cost: '2.50' }, from: '2026-02-01' });
  assert.equal((await own(new Date('2026-01-15')))?.quantity, 3);
  const changed = await own();
  assert.equal(changed?.quantity, 5);
  const more = { ...changed!, quantity: 9 };
  await assert.rejects(autotask.writeLine(address, { ...write, line: more, after: null, from: '2026-03-01' }), {
    message: 'The business system answered with 500.',
  });
  await autotask.writeLine(address, { ...write, line: changed, after: null, from: '2026-03-01' });
  assert.equal(await own(), null);
});

test('wrong keys, a system that is not there and one that leads elsewhere are told apart from an empty one', async () => {
  const base = `${sandbox.url}/psa/autotask`;
  await assert.rejects(autotask.read({ base, credentials: { ...login, Secret: 'x' } }, 'customers'), {
    isRefused: true,
  });
  await assert.rejects(connectWise.read({ base: 'http://127.0.0.1:9', credentials: keys }, 'customers'), {
    message: 'The business system does not answer.',
    isRefused: false,
  });
  await assert.rejects(connectWise.read({ base: `${sandbox.url}/nowhere`, credentials: keys }, 'customers'), {
    message: 'The business system answered with 404.',
  });
  const at = new Date();
  await assert.rejects(autotask.readContracts({ base, credentials: { ...login, Secret: 'x' } }, at), {
    isRefused: true,
  });
  await assert.rejects(connectWise.readContracts({ base: 'http://127.0.0.1:9', credentials: keys }, at), {
    message: 'The business system does not answer.',
  });
});
