import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { Node } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const nodes: readonly Node[] = [
  { type: 'search', path: 'route.search', label: 'Search' },
  {
    type: 'table',
    id: 't',
    label: 'People',
    rows: 'data.people.Result.Items',
    key: 'Id',
    columns: [{ title: 'Name', path: 'row.Name' }],
    paging: { page: 'route.page', size: 'route.size', total: 'data.people.Result.Total', sizes: [1, 2] },
    filteredBy: ['route.search'],
    empty: { title: 'Nobody yet' },
    noMatch: {
      title: 'No match',
      actions: [
        {
          type: 'button',
          text: 'Clear search',
          on: { press: [{ do: 'set', path: 'route.search' } as never] },
        },
      ],
    },
  },
];

async function open(path: string) {
  const data = { people: { operation: 'people.list', with: { search: 'route.search', page: 'route.page' } } };
  portal = await startPortal([screenOf('people', nodes, { data })]);
  portal.answers.set('GET /ui/data/people.list', ({ url }) => ({
    body: {
      Succeed: true,
      Result: url.includes('search') ? { Items: [], Total: 0 } : { Items: [{ Id: 1, Name: 'Ada' }], Total: 2 },
    },
  }));
  return openPage(portal, path);
}

test('clearing the search of an empty list leads to the search', async () => {
  const { user } = await open('/people?search=zz');
  await user.click(await screen.findByRole('button', { name: 'Clear search' }));
  await screen.findByText('Ada');
  await waitFor(() => assert.ok(document.activeElement === screen.getByLabelText('Search')));
});

test('turning to the last page keeps the focus at the pages', async () => {
  const { user } = await open('/people');
  await screen.findByText('Ada');
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => assert.ok(document.activeElement === screen.getByRole('button', { name: 'Previous page' })));
});
