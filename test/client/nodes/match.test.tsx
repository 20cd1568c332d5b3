import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { MatchNode, Node } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

type Row = {
  readonly id: string;
  readonly name: string;
  readonly option?: string | null;
  readonly title?: string;
  readonly ignored?: boolean;
  readonly suggested?: string;
};
const rows: readonly Row[] = [
  { id: '1', name: 'Contoso', suggested: 'c' },
  { id: '2', name: 'Fabrikam', option: 'f', title: 'Fabrikam Limited' },
  { id: '3', name: 'Tailspin', ignored: true },
  { id: '4', name: 'Café Zoë' },
];
const options = [
  { id: 'c', name: 'Contoso Ltd' },
  { id: 'f', name: 'Fabrikam Ltd' },
  { id: 'z', name: 'Zoe' },
];
const match = (many: boolean): MatchNode => ({
  type: 'match',
  id: 'match',
  testId: 'match',
  propertyName: 'Changes',
  label: 'Customers',
  rows: 'data.rows.Result',
  key: 'id',
  titlePath: 'row.name',
  heading: 'Customer',
  selected: 'row.option',
  selectedTitle: 'row.title',
  ignored: 'row.ignored',
  suggested: 'row.suggested',
  candidates: {
    rows: 'data.options.Result',
    key: 'id',
    titlePath: 'row.name',
    heading: 'Theirs',
    emptyText: 'None of theirs',
  },
  many,
  filterPath: 'route.show',
  searchPath: 'route.search',
  texts: {
    standing: 'Status',
    all: 'All',
    matched: 'Matched',
    unmatched: 'Not matched',
    ignored: 'Ignored',
    choose: 'Match {{name}} with',
    unassign: 'Unassign {{option}} from {{name}}',
    ignore: 'Ignore',
    restore: 'Stop ignoring',
    accept: 'Use {{option}}',
    acceptAll: 'Use {{count}} suggestions',
    more: '{{count}} more',
    noOption: 'Nothing like that',
    empty: 'Nothing to match',
    noMatch: 'Nothing left',
  },
});

async function open({ given = rows, theirs = options, many = false, address = '/matches' } = {}) {
  const form: Node = {
    type: 'form',
    id: 'matches',
    testId: 'form',
    initial: 'data.rows',
    submit: 'Save',
    cancel: 'Cancel',
    children: [
      { type: 'alert', kind: 'bad', text: 'You have unsaved changes', when: { path: 'form.$changed', is: true } },
      // As the server sends it: with the field that holds the changes.
      {
        ...match(many),
        children: [{ type: 'field', kind: 'text-area', propertyName: 'Changes' }],
      } as Node,
    ],
    on: {
      submit: [{ do: 'command', command: 'match' }],
      cancel: [{ do: 'publish', event: 'rows' }],
    },
  };
  const data = { rows: { operation: 'rows' }, options: { operation: 'options' } };
  portal = await startPortal([screenOf('matches', [form], { data }), screenOf('other', [])]);
  let held = given;
  portal.answers.set('GET /ui/data/rows', () => ({ body: { Succeed: true, Result: held } }));
  portal.answers.set('GET /ui/data/options', () => ({ body: { Succeed: true, Result: theirs } }));
  portal.answers.set('POST /ui/command/match', ({ body }) => {
    const changes = JSON.parse(String(body?.body?.Changes)) as [string, string | null, boolean][];
    held = held.map(row => {
      const found = changes.find(([id]) => id === row.id);
      return found ? { ...row, option: found[1], ignored: found[2] } : row;
    });
    return { body: { Succeed: true, effects: [{ do: 'refresh-operations', operations: ['rows'] }] } };
  });
  const { user } = await openPage(portal, address);
  await screen.findByRole('table', { name: 'Customers' });
  const isThere = theirs.length === 0 ? /None of theirs/ : /^Use /;
  if (given === rows && !address.includes('search')) await screen.findAllByText(isThere, {}, { timeout: 10_000 });
  return {
    user,
    sent: () => portal.heard.filter(({ url }) => url === '/ui/command/match').at(-1)?.body?.body?.Changes,
  };
}

const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
const box = (name: string): HTMLInputElement => screen.getByRole('combobox', { name: `Match ${name} with` });
const save = (): HTMLButtonElement => screen.getByRole('button', { name: 'Save' });
const counts = () => [...document.querySelectorAll('.segments button')].map(button => button.textContent);

test('each item says whether it is matched, and the filters how many are', async () => {
  await open();
  assert.deepEqual(counts(), ['All4', 'Matched1', 'Not matched2', 'Ignored1']);
  assert.ok(row('Fabrikam').getByText('Matched'));
  assert.equal(box('Fabrikam').value, 'Fabrikam Ltd');
  assert.equal(box('Tailspin').disabled, true);
});

test('nothing can be saved until the list differs from what was loaded, and again once it is as before', async () => {
  const { user } = await open();
  assert.equal(save().disabled, true);
  await user.click(row('Contoso').getByRole('button', { name: 'Ignore' }));
  assert.equal(save().disabled, false);
  assert.ok(screen.getByText('You have unsaved changes'));
  assert.deepEqual(counts(), ['All4', 'Matched1', 'Not matched1', 'Ignored2']);
  await user.click(row('Contoso').getByRole('button', { name: 'Stop ignoring' }));
  assert.equal(save().disabled, true);
  assert.equal(screen.queryByText('You have unsaved changes'), null);
});

test('an option is found by typing and taken with the keyboard; another item can no longer have it', async () => {
  const { user } = await open();
  await user.click(box('Café Zoë'));
  const titles = () => screen.queryAllByRole('option').map(option => option.textContent);
  assert.deepEqual(titles(), ['Contoso Ltd', 'Zoe'], 'what Fabrikam has is not there');
  await user.keyboard('zo{Enter}');
  assert.equal(box('Café Zoë').value, 'Zoe');
  assert.equal(screen.queryAllByRole('option').length, 0);
  await user.click(box('Contoso'));
  assert.deepEqual(titles(), ['Contoso Ltd']);
  await user.keyboard('{Escape}');
  await user.click(row('Café Zoë').getByRole('button', { name: 'Unassign Zoe from Café Zoë' }));
  await user.click(box('Contoso'));
  assert.deepEqual(titles(), ['Contoso Ltd', 'Zoe'], 'what was unassigned is back');
  assert.equal(save().disabled, true);
});

test('where several may have one, every option stays there for all', async () => {
  const { user } = await open({ many: true });
  await user.click(box('Café Zoë'));
  assert.equal(screen.getAllByRole('option').length, 3);
});

test('what was typed is given up by Escape or by leaving, and says when nothing has the words', async () => {
  const { user } = await open();
  await user.click(box('Fabrikam'));
  await user.keyboard('nobody');
  assert.ok(screen.getByText('Nothing like that'));
  await user.keyboard('{Enter}{Escape}');
  assert.equal(box('Fabrikam').value, 'Fabrikam Ltd');
  await user.keyboard('x');
  await user.tab();
  assert.equal(box('Fabrikam').value, 'Fabrikam Ltd');
  assert.equal(save().disabled, true);
});

test('what is proposed for two that may not share it is proposed for neither, and for both where they may', async () => {
  const given = [
    { id: '1', name: 'Contoso', suggested: 'c' },
    { id: '2', name: 'Contoso (old)', suggested: 'c' },
    { id: '3', name: 'Zoe', suggested: 'z' },
  ];
  const { user, sent } = await open({ given });
  await user.click(await screen.findByRole('button', { name: 'Use 1 suggestions' }));
  await user.click(save());
  await waitFor(() => assert.equal(sent(), '[["3","z",false]]'));
  await portal.close();
  await open({ given, many: true });
  assert.ok(await screen.findByRole('button', { name: 'Use 3 suggestions' }));
});

test('a suggestion is taken by one press, is gone once another has its option, and all are taken at once', async () => {
  const { user, sent } = await open();
  await user.click(box('Café Zoë'));
  await user.click(screen.getByRole('option', { name: 'Contoso Ltd' }));
  assert.equal(screen.queryByRole('button', { name: 'Use Contoso Ltd' }), null);
  await user.click(screen.getByRole('button', { name: /Unassign Contoso Ltd/ }));
  await user.click(screen.getByRole('button', { name: 'Use Contoso Ltd' }));
  assert.equal(box('Contoso').value, 'Contoso Ltd');
  await user.click(screen.getByRole('button', { name: /Unassign Contoso Ltd/ }));
  await user.click(screen.getByRole('button', { name: 'Use 1 suggestions' }));
  await user.click(save());
  await waitFor(() => assert.equal(sent(), JSON.stringify([['1', 'c', false]])));
  await waitFor(() => assert.equal(save().disabled, true));
  assert.equal(box('Contoso').value, 'Contoso Ltd');
  await user.click(row('Contoso').getByRole('button', { name: 'Ignore' }));
  await user.click(row('Contoso').getByRole('button', { name: 'Stop ignoring' }));
  assert.equal(save().disabled, true, 'what was saved is what counts as loaded');
});

test('Cancel restores what was loaded', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('button', { name: 'Unassign Fabrikam Ltd from Fabrikam' }));
  assert.equal(box('Fabrikam').value, '');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => assert.equal(box('Fabrikam').value, 'Fabrikam Ltd'));
  assert.equal(save().disabled, true);
});

test('a row that leaves the filtered list hands the focus to the one in its place', async () => {
  const { user } = await open({ address: '/matches?show=unmatched' });
  assert.equal(screen.getAllByRole('combobox').length, 2);
  await user.click(screen.getByRole('button', { name: 'Use Contoso Ltd' }));
  assert.equal(screen.getAllByRole('combobox').length, 1);
  assert.equal(document.activeElement, box('Café Zoë'));
});

test('the list is narrowed by words in either name, whatever the accents', async () => {
  await open({ address: '/matches?search=zoe' });
  assert.deepEqual(
    screen.getAllByRole('combobox').map(input => input.getAttribute('aria-label')),
    ['Match Café Zoë with'],
  );
});

test('options that are none, and what is matched with one that is gone, are told', async () => {
  await open({ theirs: [] });
  assert.ok(screen.getByText('None of theirs'));
  assert.equal(box('Fabrikam').value, 'Fabrikam Limited');
});

test('of 2,000 items only those are drawn that are seen, and each says which it is', async () => {
  const given = Array.from({ length: 2000 }, (_, index) => ({ id: `${index}`, name: `Customer ${index}` }));
  await open({ given });
  const table = screen.getByRole('table', { name: 'Customers' });
  assert.equal(table.getAttribute('aria-rowcount'), '2001');
  assert.ok(screen.getAllByRole('combobox').length < 100);
});
