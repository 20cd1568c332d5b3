import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

let now = new Date();
const sandbox = withSandbox({ now: () => now, tokenSeconds: 40 * 86_400 });
const people = ['reseller', 'engineer', 'single', 'noaccess'] as const;
type Who = (typeof people)[number] | 'rival';
const tokens = withTokens(sandbox, [...people.map(name => `${name}@northwind.test`), 'rival@southridge.test']);
const as = (who: Who, method: string, path: string, body?: unknown) => sandbox.call(tokens[who]!, method, path, body);

const refusal = ({ status, body }: { status: number; body: { Refusals?: { Code: string }[] } }) => [
  status,
  body.Refusals?.[0]?.Code,
];
const ask = (who: Who, Rights: readonly string[], given: object = {}) =>
  as(who, 'POST', '/api/own-access-requests', {
    Mark: `ask.${Rights.join()}`,
    Title: `Thing ${Rights.join()}`,
    Rights,
    ...given,
  });
const idOf = async (who: Who, Rights: readonly string[], given: object = {}): Promise<string> => {
  const made = await ask(who, Rights, given);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.Result.Id;
};
const ownOf = async (who: Who) => (await as(who, 'GET', '/api/own-access-requests')).body.Result;
const stateOf = async (who: Who, id: string) => (await ownOf(who)).find((one: { Id: string }) => one.Id === id)?.State;
const listFor = async (who: Who): Promise<string[]> =>
  (await as(who, 'GET', '/api/access-requests')).body.Result.Items.map((one: { Id: string }) => one.Id);
const notesOf = async (who: Who, RequestId: string) =>
  (await as(who, 'GET', '/api/notifications?pageSize=100')).body.Result.filter(
    (one: { RequestId: string | null }) => one.RequestId === RequestId,
  );
const hold = async (userName: string, views: readonly string[], permissions: readonly string[] = []) => {
  const reply = await as('reseller', 'PUT', `/api/permissions/${userName}@northwind.test`, { views, permissions });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
};

test('who asks is listed with the rights for those who can give them, who are told once', async () => {
  await hold('engineer', ['manageUsers', 'home']);
  await hold('noaccess', ['home']);
  const id = await idOf('noaccess', ['support', 'billing'], { Reason: 'I answer for invoices', Address: '/billing' });
  assert.deepEqual((await listFor('reseller')).includes(id), true);
  assert.deepEqual(await listFor('engineer'), [], 'who lacks the rights cannot give them');
  assert.equal((await as('engineer', 'GET', `/api/access-requests/${id}`)).status, 404);
  assert.equal((await as('noaccess', 'GET', '/api/access-requests')).status, 403);
  const { Rights, Name, Reason, State } = (await as('reseller', 'GET', `/api/access-requests/${id}`)).body.Result;
  assert.deepEqual([Rights, Reason, State], [['billing', 'support'], 'I answer for invoices', 'Open']);
  const [note, ...more] = await notesOf('reseller', id);
  assert.deepEqual(more, []);
  assert.equal(note.Message, `${Name} asks for “Thing support,billing”`);
  assert.equal(note.Content, '“I answer for invoices” Needs: billing, support.');
  assert.deepEqual(await notesOf('engineer', id), []);
  const [own] = await ownOf('noaccess');
  assert.deepEqual([own.Id, own.State, own.Address, own.Rights], [id, 'Open', '/billing', undefined]);
  assert.equal((await as('noaccess', 'POST', `/api/own-access-requests/${id}/withdraw`)).status, 200);
});

test('what is asked for is listed in pages, the oldest first, and counts only what the reader could give', async () => {
  await hold('engineer', ['manageUsers', 'home', 'academy']);
  await hold('noaccess', ['home']);
  const asked = [];
  for (const right of ['academy', 'community', 'support']) asked.push(await idOf('noaccess', [right]));
  const page = async (who: Who, number: number) =>
    (await as(who, 'GET', `/api/access-requests?pageSize=1&page=${number}`)).body.Result;
  const idsOf = ({ Items }: { Items: { Id: string }[] }) => Items.map(({ Id }) => Id);
  const found = [];
  for (const number of [1, 2, 3]) found.push(...idsOf(await page('reseller', number)));
  assert.deepEqual(found, asked);
  assert.equal((await page('reseller', 1)).Total, 3);
  const narrow = await page('engineer', 1);
  assert.deepEqual([idsOf(narrow), narrow.Total], [[asked[0]], 1]);
  for (const id of asked) await as('noaccess', 'POST', `/api/own-access-requests/${id}/withdraw`);
});

test('one request waits for the same rights, what is held cannot be asked for, and ten a day are enough', async () => {
  await hold('single', ['home']);
  assert.deepEqual(refusal(await ask('single', ['home'])), [409, 'AccessHeld']);
  await idOf('single', ['support']);
  assert.deepEqual(refusal(await ask('single', ['support'], { Mark: 'other' })), [409, 'AccessAsked']);
  assert.equal((await ask('single', ['unheardOf'])).status, 400);
  for (const right of [
    'academy',
    'community',
    'knowledgeBase',
    'billing',
    'pSA',
    'customers',
    'manageService',
    'settings',
    'myBusiness',
  ])
    await idOf('single', [right]);
  assert.deepEqual(refusal(await ask('single', ['marketplaceOrder'])), [409, 'AccessAskedOften']);
  now = new Date(now.getTime() + 25 * 3_600_000);
  await idOf('single', ['marketplaceOrder']);
});

test('two presses at once leave one request', async () => {
  await hold('engineer', ['home']);
  const replies = await Promise.all([ask('engineer', ['support']), ask('engineer', ['support'])]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
});

test('giving the rights in any way grants the request and tells who asked, and a second grant has nothing left', async () => {
  await hold('noaccess', ['home']);
  const id = await idOf('noaccess', ['customers', 'support']);
  await hold('noaccess', ['home', 'customers']);
  assert.equal(await stateOf('noaccess', id), 'Open', 'a part of it is not it');
  await hold('noaccess', ['home', 'customers', 'support']);
  assert.equal(await stateOf('noaccess', id), 'Granted');
  const [note] = await notesOf('noaccess', id);
  assert.equal(note.Message, 'You have “Thing customers,support” now');
  assert.equal((await notesOf('reseller', id))[0].Status, 'read', 'nothing is new of it for who could give it');
  const late = await as('reseller', 'POST', `/api/access-requests/${id}/refuse`, { Reason: 'No' });
  assert.deepEqual(refusal(late), [409, 'AccessRequestEnded']);
  assert.deepEqual(refusal(await ask('noaccess', ['support'])), [409, 'AccessHeld']);
});

test('a request is refused with a reason by who could give it, and withdrawn by who asked, once', async () => {
  await hold('noaccess', ['home']);
  const refused = await idOf('noaccess', ['support']);
  const path = `/api/access-requests/${refused}/refuse`;
  assert.equal((await as('noaccess', 'POST', path, { Reason: '' })).status, 403);
  assert.equal((await as('rival', 'POST', path, { Reason: '' })).status >= 403, true);
  assert.equal((await as('reseller', 'POST', path, { Reason: 'Ask in June' })).status, 200);
  assert.equal(await stateOf('noaccess', refused), 'Refused');
  assert.equal((await notesOf('noaccess', refused))[0].Content, 'Ask in June');
  const withdrawn = await idOf('noaccess', ['support']);
  assert.equal((await as('single', 'POST', `/api/own-access-requests/${withdrawn}/withdraw`)).status, 404);
  assert.equal((await as('noaccess', 'POST', `/api/own-access-requests/${withdrawn}/withdraw`)).status, 200);
  const again = await as('noaccess', 'POST', `/api/own-access-requests/${withdrawn}/withdraw`);
  assert.deepEqual(refusal(again), [409, 'AccessRequestEnded']);
});

test('what was asked and answered stands in the activity of the reseller', async () => {
  await hold('noaccess', ['home']);
  const id = await idOf('noaccess', ['academy']);
  await as('reseller', 'POST', `/api/access-requests/${id}/refuse`, { Reason: 'Not now' });
  const { Items } = (await as('reseller', 'GET', '/api/activity?pageSize=10')).body.Result;
  const told = Items.map((one: { Action: string; Target: string }) => `${one.Action}: ${one.Target}`);
  assert.ok(told.includes('Access asked for: Thing academy'), told.join('; '));
  assert.ok(
    told.some((line: string) => line.startsWith('Access refused: ')),
    told.join('; '),
  );
});

test('a request of somebody who is disabled is not listed, and nobody answers one for ever', async () => {
  await hold('noaccess', ['home']);
  const id = await idOf('noaccess', ['support']);
  assert.equal((await as('reseller', 'POST', '/api/staff/noaccess@northwind.test/disable')).status, 200);
  assert.equal((await listFor('reseller')).includes(id), false);
  assert.equal((await as('reseller', 'POST', '/api/staff/noaccess@northwind.test/enable')).status, 200);
  assert.equal((await listFor('reseller')).includes(id), true);
  now = new Date(now.getTime() + 15 * 86_400_000);
  await sandbox.tickOnce();
  assert.equal((await listFor('reseller')).includes(id), false);
});

test('a right that nobody who manages people holds is not asked for', async () => {
  const views = sql<never>`array_remove(views, 'academy')`;
  await sandbox.db.updateTable('account_permissions').set({ views }).execute();
  assert.deepEqual(refusal(await ask('engineer', ['academy'])), [409, 'AccessNobodyGives']);
});
