import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { screen } from '@testing-library/react';
import { newTicketScreen } from '../../../shared/contract/ticket-address.ts';
import type { Effect, Node, ScreenLayout } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal, type TestReply } from '../open-page.tsx';

let portal: TestPortal;
beforeEach(() => sessionStorage.clear());
afterEach(() => portal.close());

const reference = 'R-17';
const fault = (status: number, code = 'UPSTREAM_FAILED'): TestReply => ({
  status,
  body: { Succeed: false, Error: 'The cloud failed.', Resources: { code, reference } },
});
const list: Node = {
  type: 'list',
  label: 'Things',
  rows: 'data.things.Result.Items',
  key: 'Id',
  titlePath: 'row.Name',
  emptyText: 'Nothing yet',
};
const press: Effect[] = [{ do: 'call', operation: 'it.make' }];
const button: Node = { type: 'button', id: 'make', text: 'Make', on: { press } };
const form: Node = {
  type: 'form',
  id: 'make',
  submit: 'Make',
  errorTitle: 'It could not be made',
  children: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 'Name' }],
  on: { submit: press },
};
const tickets: ScreenLayout = screenOf('tickets', [button], { route: newTicketScreen });

/** Opens a screen with these nodes for somebody who may open tickets, unless the screen of that is left out. */
async function open(node: Node, address = '/one?tab=two', others: readonly ScreenLayout[] = [tickets]) {
  const data = node === list ? { data: { things: { operation: 'things.list' } } } : {};
  portal = await startPortal([screenOf('one', [node], data), ...others]);
  return openPage(portal, address);
}
const answerPress = (reply: TestReply) => portal.answers.set('POST /ui/call/it.make', () => reply);
const answerRead = (reply: TestReply) => portal.answers.set('GET /ui/data/things.list', () => reply);
const links = () => screen.queryAllByRole('link', { name: /^Write a ticket/ });
const hrefOf = async () => (await screen.findByRole('link', { name: /^Write a ticket/ })).getAttribute('href');
const about = (screen: string, more = `&reference=${reference}`) =>
  `${newTicketScreen}?kind=Page&screen=${encodeURIComponent(screen)}${more}`;

test('a list that the cloud failed to give leads to a ticket with the page and the reference number', async () => {
  portal = await startPortal([screenOf('one', [list], { data: { things: { operation: 'things.list' } } }), tickets]);
  answerRead(fault(502));
  await openPage(portal, '/one?tab=two');
  assert.ok(await screen.findByText('The cloud failed. Reference: R-17'));
  assert.equal(await hrefOf(), about('/one?tab=two'));
});

test('a list that is refused for what was asked leads to no ticket', async () => {
  portal = await startPortal([screenOf('one', [list], { data: { things: { operation: 'things.list' } } }), tickets]);
  answerRead(fault(400, 'PARAMETER_INVALID'));
  await openPage(portal, '/one');
  assert.ok(await screen.findByText('The cloud failed.'));
  assert.deepEqual(links(), []);
});

for (const [what, node] of [
  ['a press', button],
  ['a form', form],
] as const) {
  test(`${what} that fails for no fault of the user leads to a ticket`, async () => {
    const { user } = await open(node);
    answerPress(fault(502));
    await user.click(screen.getByRole('button', { name: 'Make' }));
    assert.ok(await screen.findByText('The cloud failed. Reference: R-17'));
    assert.equal(await hrefOf(), about('/one?tab=two'));
  });

  test(`${what} that is refused leads to no ticket`, async () => {
    const { user } = await open(node);
    answerPress(fault(422, 'FIELDS_INVALID'));
    await user.click(screen.getByRole('button', { name: 'Make' }));
    assert.ok(await screen.findByText('The cloud failed.'));
    assert.deepEqual(links(), []);
  });

  test(`${what} of which nobody knows the outcome leads to a ticket, with a reference number where there is one`, async () => {
    const { user } = await open(node);
    answerPress(fault(504, 'OUTCOME_UNKNOWN'));
    await user.click(screen.getByRole('button', { name: 'Make' }));
    assert.equal(await hrefOf(), about('/one?tab=two'));
    answerPress({ status: 502, headers: { 'content-type': 'text/html' }, body: 'Bad gateway' });
    await user.click(screen.getByRole('button', { name: 'Make' }));
    assert.ok(await screen.findByText('Nobody knows whether this was done. Look first.'));
    assert.equal(await hrefOf(), about('/one?tab=two', ''));
  });
}

test('nobody is led to a ticket who may open none, and nobody from the page of a new one to itself', async () => {
  const { user } = await open(button, '/one', []);
  answerPress(fault(502));
  await user.click(screen.getByRole('button', { name: 'Make' }));
  assert.ok(await screen.findByText('The cloud failed. Reference: R-17'));
  assert.deepEqual(links(), []);
  await portal.close();

  const next = await open(button, newTicketScreen);
  answerPress(fault(502));
  await next.user.click(screen.getByRole('button', { name: 'Make' }));
  assert.ok(await screen.findByText('The cloud failed. Reference: R-17'));
  assert.deepEqual(links(), []);
});

test('a screen that cannot be opened is said with a link to a ticket', async () => {
  const link: Node = { type: 'link', text: 'On', to: '/two' } as Node;
  portal = await startPortal([screenOf('one', [link]), screenOf('two', []), tickets]);
  portal.answers.set('GET /ui/screen', () => fault(502));
  const { user } = await openPage(portal, '/one');
  await user.click(screen.getByRole('link', { name: 'On' }));
  assert.equal(await hrefOf(), about('/one'));
});
