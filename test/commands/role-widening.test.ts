import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withApprovals } from '../fixtures/approvals.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';

const { sandbox, as, get, demand } = withApprovals();
const portal = withPortal(sandbox);
const asker = withClient(portal, 'single@northwind.test');
const user = 'engineer@northwind.test';
const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);

/** Reads what the editor says of a change, before it is saved. */
async function widens(query: Readonly<Record<string, string>>): Promise<boolean> {
  const { status, body } = await asker.get(`/ui/data/roles.effects?${new URLSearchParams(query)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.Result.Widens;
}
/** Whether the cloud makes whoever saves a change wait for another person. */
async function waits(method: string, path: string, body: object): Promise<boolean> {
  const reply = await as('single', method, path, body, { 'idempotency-key': randomUUID() });
  assert.ok([200, 202].includes(reply.status), JSON.stringify(reply.body));
  return reply.status === 202;
}
const ticks = (views: readonly string[], ...wanted: readonly string[]) =>
  new URLSearchParams(
    [...new Set([...views, ...wanted, 'billing'])].map(name => [name, String(wanted.includes(name))]),
  ).toString();

test('the editor of a role says that another person has to approve exactly what the cloud makes wait', async () => {
  await demand({});
  const rights = { Views: ['home', 'customers'], Permissions: [], Prices: false };
  const role = { Name: 'Widened', Description: '', May: [], MayNot: [], ...rights };
  const { RoleId } = (await as('reseller', 'POST', '/api/roles', { ...role, UserType: 'admin' })).body.Result;
  const save = (Views: readonly string[], Version: number) =>
    waits('PUT', `/api/roles/${RoleId}`, { ...role, Views, Version });
  const says = (...views: readonly string[]) => widens({ role: RoleId, choices: ticks(rights.Views, ...views) });
  assert.equal(await says('home', 'customers', 'billing'), false, 'nobody has it');
  await as('reseller', 'POST', `/api/users/${user}/roles/${RoleId}`, {});
  await demand({ RoleWidening: 0 });
  assert.deepEqual(
    [await says('home', 'customers', 'billing'), await save(['home', 'customers', 'billing'], 1)],
    [true, true],
  );
  assert.deepEqual([await says('home'), await save(['home'], 1)], [false, false]);
});

test('so does the editor of a person, of rights that are given, kept longer and taken away, and of a role', async () => {
  await demand({});
  const path = `/api/users/${user}/roles`;
  const give = (Views: readonly string[], Ends: readonly object[]) => async () => {
    const { Version } = await get(path);
    return waits('PUT', path, { Roles: [], Views, Permissions: [], Prices: false, Ends, Version });
  };
  const end = { Right: 'customers', Until: inAYear };
  await give(['home', 'customers', 'support'], [end])();
  const { Views: held } = await get(path);
  await demand({ RoleWidening: 0 });
  const person = (choices: string, lasting = '') => widens({ user, single: 'true', choices, lasting });
  const all = ['home', 'customers', 'support'];
  assert.equal(await person(ticks(held, ...all)), false, 'nothing changes');
  assert.deepEqual(
    [await person(ticks(held, ...all, 'academy')), await give([...all, 'academy'], [end])()],
    [true, true],
  );
  assert.deepEqual([await person(ticks(held, ...all), 'Lasting=true'), await give(all, [])()], [true, true]);
  assert.deepEqual(
    [await person(ticks(held, 'home', 'customers')), await give(['home', 'customers'], [end])()],
    [false, false],
  );
  const roles = (await as('single', 'GET', `/api/users/${user}/available-roles`)).body.Result;
  const wide = roles.find(({ IsPredefined }: { IsPredefined: boolean }) => IsPredefined);
  assert.ok(wide);
  assert.deepEqual(
    [await widens({ user, adds: wide.RoleId }), await waits('POST', `${path}/${wide.RoleId}`, {})],
    [true, true],
  );
  const shorter = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const until = (Until: string) => waits('POST', `${path}/${wide.RoleId}`, { Until });
  await demand({});
  await until(inAYear);
  await demand({ RoleWidening: 0 });
  const choices = new URLSearchParams({ Until: shorter }).toString();
  assert.deepEqual([await widens({ user, adds: wide.RoleId, choices }), await until(shorter)], [false, false]);
});
