import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import type {
  ButtonNode,
  DataSource,
  LinkNode,
  ScreenLayout,
  SearchNode,
  TableNode,
} from '../../../shared/language/types.ts';
import { heardOf, openPage, screenOf, shown, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const table: TableNode = {
  type: 'table',
  id: 'people',
  label: 'People',
  rows: 'data.people.Result.Items',
  key: 'Id',
  columns: [
    { title: 'Name', path: 'row.Name', sort: 'Name', priority: 'lead' },
    { title: 'Town', path: 'row.Town' },
  ],
  sort: { path: 'route.sort', initial: 'Name' },
  paging: { page: 'route.page', size: 'route.size', sizes: [2, 4], total: 'data.people.Result.Total' },
  filteredBy: ['route.search'],
  empty: { title: 'Nobody yet' },
  noMatch: { title: 'Nobody matches' },
};
const search: SearchNode = { type: 'search', path: 'route.search', label: 'Find people', resets: ['route.page'] };
const source = {
  operation: 'people.list',
  with: { page: 'route.page', search: 'route.search', sort: 'route.sort' },
  refreshOn: ['people-changed'],
};
const people = (...names: string[]) => ({
  Succeed: true,
  Result: { Items: names.map(Name => ({ Id: Name, Name, Town: 'Leeds' })), Total: names.length && 5 },
});
const list = (more: Partial<ScreenLayout> = {}) =>
  screenOf('people', [search, table], { data: { people: source }, ...more });

async function open(...screens: ScreenLayout[]) {
  portal = await startPortal(screens.length > 0 ? screens : [list()]);
  portal.first.set('/people', { people: people('Ada', 'Bob') });
  const page = await openPage(portal, '/people');
  // What reads the data again comes after the first paint.
  await waitFor(() => assert.ok(page.host.portal.screen.get()?.document.reads.has('people')));
  return page;
}

test('what came with the page is shown and not read again', async () => {
  await open();
  assert.ok(screen.getByText('Ada'));
  assert.deepEqual(portal.heard, []);
});

test('another page asks only for its data; the old rows stay, busy, until it is there', async () => {
  const { user } = await open();
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  portal.answers.set('GET /ui/data/people.list?page=2', async () => {
    await held;
    return { body: people('Cid', 'Dot') };
  });
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => assert.equal(screen.getByRole('table').getAttribute('aria-busy'), 'true'));
  assert.ok(screen.getByText('Ada'));
  assert.equal(location.search, '?page=2');
  release();
  assert.ok(await screen.findByText('Cid'));
  assert.equal(screen.getByRole('table').getAttribute('aria-busy'), null);
  assert.deepEqual(
    portal.heard.map(({ url }) => url),
    ['/ui/data/people.list?page=2'],
  );
  assert.ok(screen.getByText('3–4 of 5'));
});

test('paging can be gone back on; a search takes the place of the one before', async () => {
  const { user } = await open();
  portal.answers.set('GET /ui/data/people.list', () => ({ body: people('Cid') }));
  const before = history.length;
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByText('Cid');
  assert.equal(history.length, before + 1);
  await user.type(screen.getByLabelText('Find people'), 'cid');
  assert.ok((await heardOf(portal, 'GET /ui/data/people.list?search=cid')).length > 0);
  assert.equal(history.length, before + 1);
  assert.equal(location.search, '?search=cid');
});

test('a pause after a word keeps the space before the next one', async () => {
  const { user } = await open();
  portal.answers.set('GET /ui/data/people.list', () => ({ body: people('Ada') }));
  const box = screen.getByLabelText<HTMLInputElement>('Find people');
  await user.type(box, 'ada ');
  await heardOf(portal, 'GET /ui/data/people.list?search=ada');
  await waitFor(() => assert.equal(location.search, '?search=ada'));
  await user.type(box, 'byron');
  assert.equal(box.value, 'ada byron');
  assert.ok((await heardOf(portal, 'GET /ui/data/people.list?search=ada+byron')).length > 0);
});

test('Back brings back the page before without asking for the layout', async () => {
  const { user } = await open();
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({ body: people('Cid') }));
  portal.answers.set('GET /ui/data/people.list', () => ({ body: people('Ada', 'Bob') }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByText('Cid');
  await act(async () => history.back());
  assert.ok(await screen.findByText('Ada'));
  assert.equal(location.search, '');
  assert.equal(
    portal.heard.some(({ url }) => url.startsWith('/ui/screen')),
    false,
  );
});

test('a column head sorts by its name and then the other way round', async () => {
  const { user } = await open();
  portal.answers.set('GET /ui/data/people.list', () => ({ body: people('Bob', 'Ada') }));
  assert.equal(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'ascending');
  await user.click(screen.getByRole('button', { name: 'Name' }));
  await heardOf(portal, 'GET /ui/data/people.list?sort=-Name');
  assert.equal(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'), 'descending');
});

test('rows of another choice go when those of this one cannot be read, with their count', async () => {
  const { user } = await open();
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({
    status: 400,
    body: { Succeed: false, Error: 'No such page' },
  }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  assert.ok(await screen.findByText('No such page'));
  assert.equal(screen.queryByText('Ada'), null);
  assert.equal(screen.queryByText(/ of 5$/), null);
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({ body: people('Cid') }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  assert.ok(await screen.findByText('Cid'));
  assert.equal(screen.queryByText('No such page'), null);
});

test('rows of another choice go when those of this one are long in coming', async () => {
  const { user } = await open();
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  portal.answers.set('GET /ui/data/people.list?page=2', async () => {
    await held;
    return { body: people('Cid', 'Dot') };
  });
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  assert.ok(screen.getByText('Ada'));
  await waitFor(() => assert.equal(screen.queryAllByText('Ada').length, 0), { timeout: 20_000 });
  assert.equal(screen.queryByText(/ of 5$/), null);
  release();
  assert.ok(await screen.findByText('Cid', {}, { timeout: 20_000 }));
});

test('another choice with the very same rows keeps them', async () => {
  const { user } = await open();
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({ body: people('Ada', 'Bob') }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  assert.ok(await screen.findByText('3–4 of 5'));
  // Longer than rows of another choice may stand.
  await new Promise(resolve => setTimeout(resolve, 2500));
  assert.ok(screen.getByText('Ada'));
  assert.equal(screen.getByRole('table').getAttribute('aria-busy'), null);
});

test('a failed read of the same choice keeps the rows, says so and can be tried again', async () => {
  const { user, host } = await open();
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({ body: people('Cid') }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  assert.ok(await screen.findByText('Cid'));
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({
    status: 400,
    body: { Succeed: false, Error: 'Not just now' },
  }));
  host.portal.host.refreshOperations(['people.list']);
  assert.ok(await screen.findByText('Not just now'));
  assert.ok(screen.getByText('Cid'));
  portal.answers.set('GET /ui/data/people.list?page=2', () => ({ body: people('Dot') }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  assert.ok(await screen.findByText('Dot'));
  assert.equal(screen.queryAllByText('Not just now').length, 0);
});

test('a list that could not be read at all says so in its place', async () => {
  portal = await startPortal([list()]);
  portal.answers.set('GET /ui/data', () => ({ status: 404, body: { Succeed: false, Error: 'Gone' } }));
  const { user } = await openPage(portal, '/people');
  const alert = await screen.findByRole('alert');
  assert.ok(within(alert).getByRole('heading', { name: 'People failed to load' }));
  portal.answers.set('GET /ui/data', () => ({ body: people('Ada') }));
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  assert.ok(await screen.findByText('Ada'));
});

test('a screen whose subject is gone gives way to not-found', async () => {
  const about = { ...source, essential: true };
  const { host } = await open(list({ data: { people: about } }), screenOf('not-found', []));
  portal.first.set('/not-found', {});
  portal.answers.set('GET /ui/data/people.list', () => ({ status: 404, body: { Succeed: false } }));
  host.hear('people-changed');
  await shown('The not-found');
});

test('an event that a source listens to makes it read again', async () => {
  const { host } = await open();
  portal.answers.set('GET /ui/data/people.list', () => ({ body: people('Ada', 'Eve') }));
  host.hear('another-event');
  host.hear('people-changed');
  assert.ok(await screen.findByText('Eve'));
  assert.equal(portal.heard.length, 1);
});

test('what changes many times while it is read is read once more, and then it is as it is now', async () => {
  const { host } = await open();
  let names = ['Ada', 'Eve'];
  const waiting: (() => void)[] = [];
  portal.answers.set('GET /ui/data/people.list', async () => {
    await new Promise<void>(resolve => waiting.push(resolve));
    return { body: people(...names) };
  });
  for (let at = 0; at < 50; at += 1) host.hear('people-changed');
  await waitFor(() => assert.equal(waiting.length, 1));
  names = ['Ada', 'Fay'];
  waiting.shift()?.();
  await waitFor(() => assert.equal(waiting.length, 1));
  waiting.shift()?.();
  assert.ok(await screen.findByText('Fay'));
  assert.equal(portal.heard.length, 2);
});

test('an operation that a write has made stale is read again', async () => {
  const button: ButtonNode = {
    type: 'button',
    id: 'add',
    text: 'Add',
    on: { press: [{ do: 'call', operation: 'people.add' }] },
  };
  const { user } = await open(list({ actions: [button] }));
  portal.answers.set('POST /ui/call/people.add', () => ({
    body: { Succeed: true, effects: [{ do: 'refresh-operations', operations: ['people.list'] }] },
  }));
  portal.answers.set('GET /ui/data/people.list', () => ({ body: people('Ada', 'Bob', 'Fay') }));
  await user.click(screen.getByRole('button', { name: 'Add' }));
  assert.ok(await screen.findByText('Fay'));
});

test('a source without a parameter that it needs does not read', async () => {
  await open(
    list({
      data: { people: source, one: { operation: 'people.one', with: { id: 'route.id' }, needs: ['id'] } as DataSource },
    }),
  );
  await screen.findByText('Ada');
  assert.deepEqual(portal.heard, []);
});

test('an empty list says whether there is nothing yet or nothing that matches', async () => {
  portal = await startPortal([list()]);
  portal.first.set('/people', { people: people() });
  await openPage(portal, '/people?search=x');
  assert.ok(screen.getByText('Nobody matches'));
  await portal.close();
  portal = await startPortal([list()]);
  portal.first.set('/people', { people: people() });
  await openPage(portal, '/people');
  assert.ok(screen.getByText('Nobody yet'));
});

test('one request opens a screen that is known, its data included', async () => {
  const link: LinkNode = { type: 'link', text: 'People', to: '/people' };
  const home: LinkNode = { type: 'link', text: 'Home', to: '/home' };
  const { user } = await open(list({ actions: [home] }), screenOf('home', [link]));
  await user.click(screen.getByRole('link', { name: 'Home' }));
  await shown('The home');
  portal.first.set('/people', { people: people('Gus') });
  portal.heard.length = 0;
  await user.click(screen.getByRole('link', { name: 'People' }));
  assert.ok(await screen.findByText('Gus'));
  assert.deepEqual(
    portal.heard.map(({ url }) => url),
    ['/ui/screen?path=%2Fpeople&have=people'],
  );
});
