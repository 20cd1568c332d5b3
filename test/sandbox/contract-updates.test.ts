import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

/** The clock of the sandbox stands still. */
const now = new Date();
const sandbox = withSandbox({ now: () => now });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'matcher@fairbank.test',
  'rival@southridge.test',
  'bookkeeper@northwind.test',
  'engineer@northwind.test',
  'admin@contoso.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const call = (who: string, method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const read = async (path: string, who = 'reseller'): Promise<Json> => {
  const { status, body } = await call(who, 'GET', path);
  assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
  return body.Result;
};
const bases: Record<string, string> = { rival: '/api/billing/invoices' };
/** The address of the newest invoice, or of an older one. */
const invoiceOf = async (who = 'reseller', older = 0): Promise<string> => {
  const base = bases[who] ?? '/billing/invoices';
  return `${base}/${notEmpty<Json>((await read(`${base}?pageSize=100`, who)).Items)[older].Id}`;
};
const update = (who: string, path: string, Version: string, press: string = randomUUID()) =>
  call(who, 'POST', `${path}/contract-updates`, { Version }, { 'idempotency-key': press });

/** Every line that the business system bills, as it keeps it. */
const linesThere = () => sandbox.db.selectFrom('psa_stand_in_lines').selectAll().orderBy('id').execute();
/** Makes as much as was written of the newest update undone here, but not there: as a killed process leaves it. */
async function forget(count: number): Promise<void> {
  const { id } = await sandbox.db
    .selectFrom('psa_updates')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await sandbox.db
    .updateTable('psa_update_rows')
    .set({ status: 'Waiting', failure: null, settled: null })
    .where('update_id', '=', id)
    .where('position', '>=', count)
    .execute();
  const beat = new Date(now.getTime() - 10 * 60_000);
  await sandbox.db
    .updateTable('psa_updates')
    .set({ finished: null, worker: 'gone', beat })
    .where('id', '=', id)
    .execute();
}
/** Lines of Northwind that an update wrote to and that run. */
const written: number[] = [];
const setQuantity = (ids: readonly number[], quantity: number) =>
  sandbox.db.updateTable('psa_stand_in_lines').set({ quantity }).where('id', 'in', ids).execute();

test('a dry run says what would be written and why the rest would not, and writes nothing', async () => {
  const path = await invoiceOf();
  const before = await linesThere();
  const found = await read(`${path}/contract-changes`);
  assert.equal(found.System, 'ConnectWise');
  assert.equal(found.IsNewest, true);
  assert.equal(found.Total, notEmpty(found.Items).length);
  const kinds = new Set(found.Items.map(({ Kind }: Json) => Kind));
  for (const kind of ['Quantity', 'Added', 'Removed']) assert.ok(kinds.has(kind), `nothing is ${kind}`);
  assertEvery<Json>(
    found.Items,
    ({ Kind, QuantityBefore, QuantityAfter }) =>
      (Kind === 'Added') === (QuantityBefore === null) && (Kind === 'Removed') === (QuantityAfter === null),
  );
  assert.equal((await read(`${path}/contract-changes`)).Version, found.Version);
  assert.deepEqual(await linesThere(), before);
  assert.deepEqual((await read(`${path}/contract-updates`)).Items, []);
});

test('only who may compare the invoice updates, only from the newest, and only with a press', async () => {
  const [path, before] = [await invoiceOf(), await linesThere()];
  const { Version } = await read(`${path}/contract-changes`);
  for (const [who, status] of [
    ['bookkeeper', 403],
    ['engineer', 403],
    ['admin', 403],
    ['matcher', 404],
    ['rival', 409],
  ] as const) {
    assert.equal((await call(who, 'GET', `${path}/contract-changes`)).status, status, who);
    assert.equal((await call(who, 'GET', `${path}/contract-updates`)).status, status, who);
    assert.equal((await update(who, path, Version)).status, status, who);
  }
  const older = await invoiceOf('reseller', 1);
  const { IsNewest, Items, Newest, Version: other } = await read(`${older}/contract-changes`);
  assert.deepEqual([IsNewest, Items, Newest], [false, [], path.split('/').at(-1)]);
  assert.deepEqual((await update('reseller', older, other)).body.Refusals, [{ Code: 'InvoiceNotNewest' }]);
  const unpressed = await call('reseller', 'POST', `${path}/contract-updates`, { Version });
  assert.deepEqual([unpressed.status, unpressed.body.Refusals], [400, [{ Code: 'PressMissing' }]]);
  assert.deepEqual(await linesThere(), before);
});

test('what has changed since the dry run is not written', async () => {
  const [path, before] = [await invoiceOf(), await linesThere()];
  const { Version, Items } = await read(`${path}/contract-changes`);
  const [changed] = notEmpty<Json>(Items).filter(({ Kind }) => Kind === 'Quantity');
  const { id, quantity } = before.find(
    ({ ends, quantity: there }) => ends === null && there === changed.QuantityBefore,
  )!;
  await setQuantity([id], quantity + 3);
  const refused = await update('reseller', path, Version);
  assert.deepEqual([refused.status, refused.body.Error], [409, 'Changed']);
  await setQuantity([id], quantity);
  assert.deepEqual(await linesThere(), before);
  assert.equal((await read(`${path}/contract-changes`)).Items.length, Items.length);
});

test('while the business system does not answer nothing is written, and each line says so', async () => {
  const [path, before] = [await invoiceOf(), await linesThere()];
  const { Version, Total } = await read(`${path}/contract-changes`);
  const move = (base_url: string | null) =>
    sandbox.db.updateTable('psa_connections').set({ base_url }).where('reseller_id', '=', 1001).execute();
  await move('http://127.0.0.1:9');
  assert.equal((await call('reseller', 'GET', `${path}/contract-changes`)).status, 424);
  assert.equal((await update('reseller', path, Version)).status, 424);
  await move(null);
  assert.equal((await update('reseller', path, Version)).status, 200);
  const after = await linesThere();
  await sandbox.db.deleteFrom('psa_stand_in_lines').execute();
  await sandbox.db
    .insertInto('psa_stand_in_lines')
    .values(before as never)
    .execute();
  await move('http://127.0.0.1:9');
  await forget(0);
  await sandbox.tickOnce();
  const { Items, IsRunning, NotWritten } = await read(`${path}/contract-updates`);
  assert.deepEqual([IsRunning, NotWritten], [false, Total]);
  assert.equal(Items.length, Total);
  assertEvery<Json>(Items, ({ Status, Failure }) => Status === 'Failed' && Failure === 'NoAnswer');
  assert.deepEqual(await linesThere(), before);
  assert.notDeepEqual(after, before);
  await move(null);
});

test('an update writes exactly what the dry run showed, once, and leaves no difference of these rows', async () => {
  const [path, before] = [await invoiceOf(), await linesThere()];
  const shown = await read(`${path}/contract-changes`);
  const press = randomUUID();
  const pressed = await Promise.all([1, 2, 3].map(() => update('reseller', path, shown.Version, press)));
  assert.deepEqual(
    pressed.map(({ status }) => status),
    [200, 200, 200],
  );
  const after = await linesThere();
  const known = new Map(before.map(line => [line.id, line]));
  const changed = after.filter(line => JSON.stringify(line) !== JSON.stringify(known.get(line.id) ?? null));
  assert.equal(changed.length, shown.Total, 'every change is one line, and nothing else has changed');
  written.push(...changed.filter(({ ends }) => ends === null).map(({ id }) => id));
  const { Items, Updates } = await read(`${path}/contract-updates`);
  assert.deepEqual(
    Items.map(({ Status, Failure, ...line }: Json) => line),
    shown.Items.map(({ Change, ...line }: Json) => line),
  );
  assertEvery<Json>(Items, ({ Status }) => Status === 'Written');
  assert.deepEqual(
    [Updates[0].Written, Updates[0].NotWritten, Updates[0].Waiting, Updates[0].By],
    [shown.Total, 0, 0, 'Priya Raman'],
  );

  const left = await read(`${path}/contract-changes`);
  assert.deepEqual([left.Items, left.Change], [[], '0.00']);
  assert.deepEqual(left.LeftOut, shown.LeftOut);
  for (const { Id, Service, QuantityAfter } of notEmpty<Json>(shown.Items)) {
    const { status, body } = await call('reseller', 'GET', `${path}/reconciliation/rows/${Id}`);
    // What ended there and was not held in the month is on neither side any more.
    if (status === 404) {
      assert.equal(QuantityAfter, null, Service);
      continue;
    }
    const { Class, TheirQuantity, UnitPrice, TheirPrice, Rest, Explanations } = body.Result;
    assert.deepEqual([TheirQuantity, Rest], [QuantityAfter, '0.00'], Service);
    assert.equal(TheirPrice, QuantityAfter === null ? null : UnitPrice, Service);
    // The days of the month that was billed stay what they were.
    const reasons: string[] = Explanations.map(({ Reason }: Json) => Reason);
    assert.deepEqual(
      reasons.filter(reason => reason !== 'PartOfMonth' && reason !== 'Rounding'),
      [],
      Service,
    );
    if (reasons.length === 0) assert.equal(Class, 'Matched', Service);
  }
  assert.equal((await read(`${path}/reconciliation`)).Rest, '0.00');

  const again = await update('reseller', path, shown.Version);
  assert.deepEqual([again.status, again.body.Error], [409, 'Changed'], 'a new press with the old dry run');
  assert.deepEqual((await update('reseller', path, left.Version)).body.Refusals, [{ Code: 'ContractsUpToDate' }]);
  assert.equal((await update('reseller', path, 'other', press)).status, 409, 'a press is for one update');
  assert.deepEqual(await linesThere(), after);
});

test('a process that is killed between the writing and the record of it doubles nothing', async () => {
  const [path, before] = [await invoiceOf(), await linesThere()];
  for (const count of [0, 1]) {
    await forget(count);
    assert.equal((await read(`${path}/contract-updates`)).IsRunning, true);
    await sandbox.tickOnce();
    const { Items, IsRunning } = await read(`${path}/contract-updates`);
    assert.equal(IsRunning, false);
    assertEvery<Json>(Items, ({ Status }) => Status === 'Written');
    assert.deepEqual(await linesThere(), before);
  }
});

test('of two people at once one updates, and a line that somebody changed there meanwhile is left alone', async () => {
  const path = await invoiceOf();
  await setQuantity(written.slice(0, 2), 4711);
  const { Version, Total } = await read(`${path}/contract-changes`);
  assert.equal(Total, 2);
  const replies = await Promise.all([1, 2].map(() => update('reseller', path, Version)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
  assert.equal((await read(`${path}/contract-changes`)).Total, 0);
  await setQuantity(written.slice(0, 1), 4712);
  const changed = await linesThere();
  await forget(0);
  await sandbox.tickOnce();
  const { Items } = await read(`${path}/contract-updates`);
  assert.deepEqual(Items.map(({ Status }: Json) => Status).sort(), ['Changed', 'Written']);
  assert.deepEqual(await linesThere(), changed);
});

test('it stands in the activity of the customer, without prices, for those alone who see billing and business systems', async () => {
  const [line] = notEmpty<Json>((await read(`${await invoiceOf()}/contract-updates`)).Items);
  const activityOf = async (who: string) =>
    (await read(`/api/customers/${line.OrganisationId}/activity?pageSize=100`, who)).Items.filter(
      ({ Action }: Json) => Action === 'Contract updated',
    );
  const [entry] = notEmpty<Json>(await activityOf('reseller'));
  assert.equal(entry.Actor, 'Priya Raman');
  assert.match(`${entry.Before}${entry.After}`, /^Quantity: \d+(Quantity: \d+)?$/);
  assert.deepEqual(await activityOf('engineer'), []);
});

test('Autotask is updated in the same way, at the addresses of the monolith', async () => {
  const path = await invoiceOf('rival');
  const shown = await read(`${path}/contract-changes`, 'rival');
  assert.deepEqual([shown.System, shown.Total > 1], ['Autotask', true]);
  assert.equal((await update('rival', path, shown.Version)).status, 200);
  const { Items } = await read(`${path}/contract-updates`, 'rival');
  assert.equal(Items.length, shown.Total);
  assertEvery<Json>(Items, ({ Status }) => Status === 'Written');
  assert.deepEqual((await read(`${path}/contract-changes`, 'rival')).Items, []);
  const lines = await linesThere();
  await forget(0);
  await sandbox.tickOnce();
  assert.deepEqual(await linesThere(), lines, 'units that are adjusted by a number are not adjusted twice');
});
