import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, screen, waitFor } from '@testing-library/react';
import type { Node } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal, type TestReply } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const rows = 'data.people.Result.Items';
const nodes = {
  table: {
    type: 'table',
    id: 't',
    label: 'People',
    rows,
    key: 'Id',
    columns: [{ title: 'Name', path: 'row.Name' }],
    paging: { page: 'route.page', size: 'route.size', total: 'data.people.Result.Total' },
    empty: { title: 'Nothing yet' },
  },
  list: { type: 'list', label: 'People', rows, key: 'Id', titlePath: 'row.Name', emptyText: 'Nothing yet' },
  text: {
    type: 'text',
    text: '{{spend}} per month',
    values: { spend: { path: 'data.people.Result.Spend', format: 'currency' } },
  },
} as const satisfies Record<string, Node>;

const people = (Items: unknown, more = {}) => ({
  body: { Succeed: true, Result: { Items, Spend: 12, Total: 1, ...more } },
});
const ada = people([{ Id: 1, Name: 'Ada' }]);

/** Opens these nodes over what `answer` says; nothing has come with the page. */
async function open(children: readonly Node[], answer: () => TestReply | Promise<TestReply>) {
  portal = await startPortal([screenOf('people', children, { data: { people: { operation: 'people.list' } } })]);
  portal.answers.set('GET /ui/data/people.list', answer);
  return openPage(portal, '/people');
}

for (const kind of ['table', 'list'] as const) {
  test(`a reply without a list of rows is a failure that a ${kind} offers to try again`, async () => {
    for (const odd of [{}, 5, 'rows', undefined, [null], [{ Id: 1, Name: 'Ada' }, 5]]) {
      let answer: TestReply = people(odd);
      const { user } = await open([nodes[kind]], () => answer);
      assert.ok(await screen.findByText('Something went wrong. Please try again.'));
      assert.equal(screen.queryByText('Nothing yet'), null);
      answer = ada;
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      assert.ok(await screen.findByText('Ada'));
      await portal.close();
    }
    await open([nodes[kind]], () => ada);
  });
}

test('a text whose figure could not be read is not there', async () => {
  await open([nodes.text, nodes.list], () => ({ status: 400, body: { Succeed: false, Error: 'Out of order' } }));
  assert.ok(await screen.findByText('Out of order'));
  assert.equal(screen.queryByText(/per month/), null);
  await portal.close();
  await open([nodes.text], () => ada);
  assert.ok(await screen.findByText('£12.00 per month'));
});

test('what has been deleted meanwhile is not shown any more', async () => {
  let answer: TestReply = ada;
  const { host } = await open([nodes.list], () => answer);
  assert.ok(await screen.findByText('Ada'));
  answer = { status: 404, body: { Succeed: false, Error: 'Not there any more' } };
  await waitFor(() => assert.ok(host.portal.screen.get()?.document.reads.has('people')));
  act(() => host.portal.screen.get()?.document.reads.get('people')?.());
  assert.ok(await screen.findByText('Not there any more'));
  assert.equal(screen.queryByText('Ada'), null);
});

for (const kind of ['table', 'list'] as const) {
  test(`the skeleton of a ${kind} that has been shown stays for a second`, async () => {
    const since = performance.now();
    let answer = (_: TestReply): void => undefined;
    await open([nodes[kind]], () => new Promise(resolve => (answer = resolve)));
    await waitFor(() => assert.ok(document.querySelector('.bone')));
    assert.ok(performance.now() - since >= 400);
    let isCountedEarly = false;
    const watch = new MutationObserver(() => {
      isCountedEarly ||= document.querySelector('.bone') !== null && document.querySelector('.pager') !== null;
    });
    watch.observe(document.body, { childList: true, subtree: true });
    answer(ada);
    assert.ok(await screen.findByText('Ada'));
    watch.disconnect();
    assert.equal(isCountedEarly, false, 'no rows are counted that are not shown');
    assert.ok(performance.now() - since >= 1400);
    assert.equal(document.querySelector('.bone'), null);
  });
}
