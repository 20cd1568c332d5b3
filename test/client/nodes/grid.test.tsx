import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { Node } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal, type TestReply } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const customers = Array.from({ length: 60 }, (_, at) => ({
  Id: at + 1,
  Name: `Customer ${at + 1}`,
  // One of the last page has none.
  Fields: { Domain: at === 57 ? '' : `c${at + 1}.test` },
}));
const grid = {
  type: 'grid',
  id: 'domains',
  testId: 'domains',
  propertyName: 'Values',
  label: 'Domains',
  rows: 'data.customers.Result.Items',
  key: 'Id',
  titlePath: 'row.Name',
  heading: 'Customer',
  initial: 'row.Fields',
  fields: [
    {
      type: 'field',
      kind: 'text',
      propertyName: 'Domain',
      label: 'Domain',
      mandatory: true,
      regex: '^[a-z0-9.]+$',
      invalidMessage: 'Not a domain',
    },
  ],
  searchLabel: 'Find customers',
  noMatchText: 'No customer',
  all: 'All',
  wrong: 'To correct',
  // As the server sends it: with the field that holds what is typed.
  children: [{ type: 'field', kind: 'text-area', propertyName: 'Values', maxLength: 800_000 }],
};
const form = {
  type: 'form',
  id: 'form',
  testId: 'form',
  submit: 'Send',
  children: [grid],
  on: { submit: [{ do: 'command', command: 'send' }] },
} as unknown as Node;

async function open(items: readonly object[] = customers, answer: TestReply = { body: { Succeed: true } }) {
  portal = await startPortal([screenOf('many', [form], { data: { customers: { operation: 'customers' } } })]);
  portal.answers.set('GET /ui/data/customers', () => ({ body: { Succeed: true, Result: { Items: items } } }));
  portal.answers.set('POST /ui/command/send', () => answer);
  const { user } = await openPage(portal, '/many');
  await screen.findByLabelText('Domain, Customer 1');
  const sent = () => portal.heard.filter(({ url }) => url === '/ui/command/send').map(({ body }) => body?.body?.Values);
  return { user, sent, press: () => user.click(screen.getByRole('button', { name: 'Send' })) };
}
const input = (id: number) => screen.getByLabelText<HTMLInputElement>(`Domain, Customer ${id}`);
const rows = () => within(screen.getByRole('table')).getAllByRole('row').length - 1;
const counts = () => screen.getAllByRole('tab').map(tab => tab.textContent);

test('a page of the items is drawn; what is typed on any page is sent, and nothing of the rest', async () => {
  const { user, sent, press } = await open(customers.slice(0, 57));
  assert.equal(rows(), 25);
  await user.clear(input(2));
  await user.type(input(2), 'typed.test');
  await user.click(screen.getByTestId('domains-next'));
  await user.type(input(30), 'x');
  await user.type(screen.getByLabelText('Find customers'), 'customer 44');
  await user.clear(input(44));
  await user.type(input(44), 'c44.test');
  assert.equal(rows(), 1);
  await user.clear(screen.getByLabelText('Find customers'));
  await user.click(screen.getByTestId('domains-next'));
  await user.click(screen.getByTestId('domains-previous'));
  assert.equal(input(2).value, 'typed.test', 'it is there when one comes back to the page');
  await press();
  await waitFor(() => assert.equal(sent().length, 1));
  assert.deepEqual(JSON.parse(String(sent()[0])), [
    ['2', { Domain: 'typed.test' }],
    ['30', { Domain: 'c30.testx' }],
  ]);
});

test('what is wrong on any page is counted, keeps the form from being sent and is led to', async () => {
  const { user, sent, press } = await open();
  assert.deepEqual(counts(), ['All60', 'To correct1']);
  await user.type(input(1), ' wrong');
  assert.deepEqual(counts(), ['All60', 'To correct2']);
  assert.equal(screen.queryByText('Not a domain'), null, 'not while it is typed');
  await user.tab();
  await screen.findByText('Not a domain');
  await press();
  assert.equal(rows(), 2);
  assert.equal(document.activeElement, input(1));
  assert.equal(input(58).getAttribute('aria-invalid'), 'true');
  await user.clear(input(1));
  await user.type(input(1), 'right.test');
  await user.type(input(58), 'too.test');
  assert.equal(rows(), 2, 'a row stays while it is put right');
  assert.deepEqual(counts(), ['All60', 'To correct0']);
  await press();
  await waitFor(() => assert.equal(sent().length, 1));
});

test('what the server says of a value stands at its row, wherever that is', async () => {
  const Errors = { 'Values.40.Domain': ['It belongs to somebody else'] };
  const { user, press } = await open(customers.slice(0, 57), { status: 422, body: { Succeed: false, Errors } });
  await press();
  await screen.findByText('It belongs to somebody else');
  await waitFor(() => assert.equal(document.activeElement, input(40)));
  await user.type(input(40), 'x');
  assert.equal(screen.queryByText('It belongs to somebody else'), null);
});
