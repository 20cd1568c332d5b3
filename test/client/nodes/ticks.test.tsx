import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { Node, TicksNode } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const people = Array.from({ length: 60 }, (_, at) => ({ Id: at + 1, Name: `${at < 40 ? 'Ada' : 'Ben'} ${at + 1}` }));
const ticks: TicksNode = {
  type: 'ticks',
  id: 'people',
  testId: 'people',
  propertyName: 'People',
  label: 'People',
  rows: 'data.people.Result.Items',
  key: 'Id',
  titlePath: 'row.Name',
  searchPath: 'state.search',
  searchLabel: 'Find people',
  paging: { page: 'state.page', size: 'state.size', sizes: [25], total: 'data.people.Result.Total' },
  ticked: '{{count}} chosen',
  all: 'Choose all that match',
  none: 'Choose none',
  emptyText: 'Nobody',
  on: { all: [{ do: 'command', command: 'people.all', with: { search: 'state.search' } }] },
};
const form: Node = {
  type: 'form',
  id: 'form',
  testId: 'form',
  submit: 'Send',
  // As the server sends it: with the field that holds what is ticked.
  children: [{ ...ticks, children: [{ type: 'field', kind: 'list', propertyName: 'People' }] } as Node],
  on: { submit: [{ do: 'command', command: 'send' }] },
};
const matching = (search: unknown) => people.filter(({ Name }) => Name.startsWith(String(search ?? '')));

async function open() {
  const data = {
    people: { operation: 'people', with: { page: 'state.page', search: 'state.search' } },
  } as const;
  portal = await startPortal([screenOf('many', [form], { data, state: { page: null, size: null, search: null } })]);
  portal.answers.set('GET /ui/data/people', ({ url }) => {
    const query = new URL(url, 'http://x').searchParams;
    const found = matching(query.get('search'));
    const from = (Number(query.get('page') ?? 1) - 1) * 25;
    return { body: { Succeed: true, Result: { Items: found.slice(from, from + 25), Total: found.length } } };
  });
  portal.answers.set('POST /ui/command/people.all', ({ body }) => {
    const { search } = (body?.with ?? {}) as { search?: unknown };
    return { body: { Succeed: true, Result: { keys: matching(search).map(({ Id }) => String(Id)) } } };
  });
  portal.answers.set('POST /ui/command/send', () => ({ body: { Succeed: true } }));
  const { user } = await openPage(portal, '/many');
  await screen.findByLabelText('Ada 1');
  return {
    user,
    sent: () =>
      String(portal.heard.filter(({ url }) => url === '/ui/command/send').at(-1)?.body?.body?.People ?? '').split('\n'),
  };
}
const count = () => screen.getByTestId('people-count').textContent;
const box = (name: string) => screen.getByLabelText(name) as HTMLInputElement;

test('what is ticked stays so over pages and searches, and is sent as a whole', async () => {
  const { user, sent } = await open();
  await user.click(box('Ada 2'));
  await user.click(screen.getByTestId('people-next'));
  await user.click(await screen.findByLabelText('Ada 30'));
  await user.type(screen.getByLabelText('Find people'), 'Ben');
  await user.click(await screen.findByLabelText('Ben 41'));
  assert.equal(count(), '3 chosen');
  await user.clear(screen.getByLabelText('Find people'));
  assert.equal((await screen.findByLabelText<HTMLInputElement>('Ada 2')).checked, true);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => assert.deepEqual(sent().sort(), ['2', '30', '41']));
});

test('all that match are ticked besides those that are, on every page; then none', async () => {
  const { user, sent } = await open();
  await user.click(box('Ada 1'));
  await user.type(screen.getByLabelText('Find people'), 'Ben');
  await screen.findByLabelText('Ben 41');
  await user.click(screen.getByTestId('people-all'));
  await waitFor(() => assert.equal(count(), '21 chosen'));
  await user.click(box('Ben 42'));
  assert.equal(count(), '20 chosen');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => assert.equal(sent().length, 20));
  await user.click(screen.getByTestId('people-none'));
  assert.equal(count(), '0 chosen');
  assert.equal(within(screen.getByTestId('people')).queryAllByRole('checkbox', { checked: true }).length, 0);
});

test('who types and presses at once ticks what the words find, not what was found before', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('Find people'), 'Ben');
  await user.click(screen.getByTestId('people-all'));
  await waitFor(() => assert.equal(count(), '20 chosen'));
});

test('Enter in the search looks for its words and sends nothing', async () => {
  const { user } = await open();
  await user.type(screen.getByLabelText('Find people'), 'Ben{Enter}');
  await screen.findByLabelText('Ben 41');
  assert.equal(portal.heard.filter(({ url }) => url === '/ui/command/send').length, 0);
});
