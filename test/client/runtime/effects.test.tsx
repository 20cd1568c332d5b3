import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { ButtonNode, Effect, Node, ScreenLayout } from '../../../shared/language/types.ts';
import { heardOf, openPage, screenOf, shown, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const button = (text: string, ...press: Effect[]): ButtonNode => ({
  type: 'button',
  id: text.toLowerCase(),
  text,
  on: { press },
});
const call: Effect = { do: 'call', operation: 'it.do', with: { id: { value: 7 } }, body: { Name: { value: 'Ada' } } };

async function open(children: readonly Node[], more: Partial<ScreenLayout> = {}) {
  portal = await startPortal([screenOf('one', children, more), screenOf('two', [])]);
  return openPage(portal, '/one');
}
const press = (user: { click(element: Element): Promise<void> }, name: string) =>
  user.click(screen.getByRole('button', { name }));

test("a call names its node and its layout, is marked as the portal's own and carries a key of its press", async () => {
  const { user } = await open([button('Go', call)]);
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: true } }));
  await press(user, 'Go');
  await heardOf(portal, 'POST /ui/call/it.do', 1);
  // While it is busy the button takes no second press.
  await waitFor(() => assert.equal(screen.getByRole('button', { name: 'Go' }).getAttribute('aria-busy'), null));
  await press(user, 'Go');
  const [first, second] = await heardOf(portal, 'POST /ui/call/it.do', 2);
  assert.deepEqual(first?.body, { node: 'go', layout: 'one', with: { id: 7 }, body: { Name: 'Ada' } });
  assert.equal(first?.headers['x-portal'], '1');
  assert.match(String(first?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  assert.notEqual(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
});

test('a press that got no answer keeps its key when it is pressed again', async () => {
  const { user } = await open([button('Go', call)]);
  const sockets: { destroy(): void }[] = [];
  portal.http.on('connection', socket => sockets.push(socket));
  portal.answers.set('POST /ui/call/it.do', () => {
    for (const socket of sockets) socket.destroy();
    return { body: {} };
  });
  await press(user, 'Go');
  assert.ok(await screen.findByText('Nobody knows whether this was done. Look first.'));
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: true } }));
  await press(user, 'Go');
  const [first, second] = await heardOf(portal, 'POST /ui/call/it.do', 2);
  assert.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
});

test('effects run in order, with the reply of the call before, and end at a failure', async () => {
  const { user } = await open([
    button('Go', call, { do: 'navigate', to: '/{reply.Result.Next}' }),
    button('Stop', { ...call, operation: 'it.fail' } as Effect, { do: 'navigate', to: '/two' }),
  ]);
  portal.answers.set('POST /ui/call/it.fail', () => ({ status: 400, body: { Succeed: false, Error: 'Not now' } }));
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: true, Result: { Next: 'two' } } }));
  await press(user, 'Stop');
  assert.ok(await screen.findByText('Not now'));
  assert.equal(location.pathname, '/one');
  await press(user, 'Go');
  await shown('The two');
});

test('a confirm that is refused ends the list', async () => {
  const confirm: Effect = {
    do: 'confirm',
    title: 'Delete it?',
    text: 'It is gone then.',
    primary: 'Delete',
    danger: true,
  };
  const { user } = await open([button('Go', confirm, call)]);
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: true } }));
  await press(user, 'Go');
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete it?' });
  assert.equal(document.activeElement?.textContent, 'Cancel');
  await user.keyboard('{Escape}');
  await waitFor(() => assert.equal(dialog.isConnected, false));
  assert.equal(portal.heard.length, 0);
  assert.equal(document.activeElement?.textContent, 'Go');
  await press(user, 'Go');
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await heardOf(portal, 'POST /ui/call/it.do');
});

test('a toast of something that is not done does not look like one of something that is', async () => {
  const say = (kind?: 'bad' | 'info' | 'wait') => ({ do: 'toast', text: kind ?? 'ok', ...(kind && { kind }) }) as const;
  const { user } = await open([button('Go', say('wait')), button('Do', say()), button('Fail', say('bad'))]);
  for (const name of ['Go', 'Do', 'Fail']) await user.click(screen.getByRole('button', { name }));
  await screen.findByText('bad');
  assert.deepEqual(
    [...document.querySelectorAll('.toast use')]
      .map(use => use.getAttribute('href')?.split('#')[1])
      .filter(icon => icon !== 'x'),
    ['alert', 'check-circle', 'x-circle'],
  );
});

test('a toast is announced politely and its undo runs', async () => {
  const { user } = await open([
    button('Go', { do: 'toast', text: 'Alias {{name}} removed', values: { name: { value: 'info' } }, undo: [call] }),
  ]);
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: true } }));
  await press(user, 'Go');
  const said = await screen.findByText('Alias info removed');
  assert.equal(said.closest('[role=status]')?.getAttribute('aria-live'), 'polite');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await heardOf(portal, 'POST /ui/call/it.do');
  assert.equal(said.isConnected, false);
});

test('the way back from a form sends nothing that was typed', async () => {
  const undo: Effect[] = [{ do: 'call', operation: 'it.undo' }];
  const { user } = await open([
    {
      type: 'form',
      id: 'names',
      submit: 'Save',
      children: [{ type: 'field', kind: 'text', propertyName: 'Name', label: 'Name' }],
      on: {
        submit: [
          { do: 'call', operation: 'it.do' },
          { do: 'toast', text: 'Saved', undo },
        ],
      },
    },
  ]);
  for (const name of ['do', 'undo'])
    portal.answers.set(`POST /ui/call/it.${name}`, () => ({ body: { Succeed: true } }));
  await user.type(screen.getByLabelText('Name'), 'Ada');
  await press(user, 'Save');
  await screen.findByText('Saved');
  await press(user, 'Undo');
  const [sent] = await heardOf(portal, 'POST /ui/call/it.undo');
  assert.deepEqual(sent?.body, { node: 'names', layout: 'one', with: {} });
});

test('the article that explains a refusal is offered once, however often it is refused', async () => {
  const { user } = await open([button('Go', call)]);
  const article = { title: 'How it is done', to: '/knowledge-base/article/a/b' };
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: false, Error: 'No', Resources: { article } } }));
  for (const count of [1, 2]) {
    await press(user, 'Go');
    await heardOf(portal, 'POST /ui/call/it.do', count);
    await waitFor(() => assert.equal(screen.getByRole('button', { name: 'Go' }).getAttribute('aria-busy'), null));
  }
  await screen.findAllByText('How it is done');
  assert.equal(screen.getAllByText('How it is done').length, 1);
});

test('effects of the reply run before those that follow the call', async () => {
  const { user } = await open([button('Go', call, { do: 'toast', text: 'Last' })]);
  portal.answers.set('POST /ui/call/it.do', () => ({
    body: { Succeed: true, effects: [{ do: 'toast', text: 'First' }] },
  }));
  await press(user, 'Go');
  await screen.findByText('Last');
  assert.deepEqual(
    [...document.querySelectorAll('.toast__text')].map(toast => toast.textContent),
    ['First', 'Last'],
  );
});

test('set changes a value of the page, and only what reads it', async () => {
  const shownText: Node = { type: 'text', text: 'It is open', when: { path: 'state.open', is: true } };
  const { user } = await open([button('Go', { do: 'set', path: 'state.open', value: true }), shownText], {
    state: { open: false },
  });
  assert.equal(screen.queryByText('It is open'), null);
  await press(user, 'Go');
  assert.ok(await screen.findByText('It is open'));
});

test('set changes a value of the address', async () => {
  const { user } = await open([
    button('Go', { do: 'set', path: 'route.tab', value: { value: 'b' } }),
    { type: 'text', path: 'route.tab' },
  ]);
  await press(user, 'Go');
  assert.ok(await screen.findByText('b'));
  assert.equal(location.search, '?tab=b');
});

test('a refusal of rights reads the boot again', async () => {
  const { user } = await open([button('Go', call)]);
  portal.answers.set('POST /ui/call/it.do', () => ({ status: 403, body: { Succeed: false, Error: 'Not allowed' } }));
  await press(user, 'Go');
  assert.ok(await screen.findByText('Not allowed'));
  await heardOf(portal, 'GET /ui/boot');
});

test('a press in a page that has changed brings the new page, keeps what was typed and says so', async () => {
  const field = (label: string): Node => ({ type: 'field', propertyName: 'Name', kind: 'text', label });
  const form = (label: string): Node => ({
    type: 'form',
    id: 'f',
    submit: 'Save',
    children: [field(label)],
    on: { submit: [{ do: 'call', operation: 'it.do' }] },
  });
  const { user } = await open([form('Name')]);
  const layout = screenOf('one', [form('Full name')]);
  portal.answers.set('POST /ui/call/it.do', () => ({
    status: 409,
    body: { Succeed: false, Resources: { hash: 'one-2', layout } },
  }));
  await user.type(screen.getByLabelText('Name'), 'Ada');
  await press(user, 'Save');
  assert.ok(await screen.findByText(/This page has changed/));
  assert.equal((screen.getByLabelText('Full name') as HTMLInputElement).value, 'Ada');
  portal.answers.set('POST /ui/call/it.do', () => ({ body: { Succeed: true } }));
  await press(user, 'Save');
  const [, second] = await heardOf(portal, 'POST /ui/call/it.do', 2);
  assert.equal(second?.body?.layout, 'one-2');
});

test('trouble of the cloud shows its text with the reference of the log', async () => {
  const { user } = await open([button('Go', call)]);
  portal.answers.set('POST /ui/call/it.do', () => ({
    status: 502,
    body: { Succeed: false, Error: 'The cloud did not answer.', Resources: { code: 'CLOUD_DOWN', reference: 'R-17' } },
  }));
  await press(user, 'Go');
  assert.ok(await screen.findByText('The cloud did not answer. Reference: R-17'));
});

test('a file is saved under the name that the server gives it, and says so where there is none', async () => {
  const saved: string[] = [];
  URL.createObjectURL ??= () => 'blob:file';
  URL.revokeObjectURL ??= () => {};
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function record() {
    saved.push(this.download);
  };
  const { user } = await open([
    button('Table', { do: 'download', table: 'people' }),
    button('Paper', { do: 'download', operation: 'it.paper', with: { id: { value: 'a b' } } }),
  ]);
  const file = {
    headers: {
      'content-type': 'text/csv',
      'content-disposition': `attachment; filename="x"; filename*=UTF-8''Caf%C3%A9.csv`,
    },
    body: {},
  };
  portal.answers.set('POST /ui/files/one/people.csv', () => file);
  portal.answers.set('POST /ui/downloads/it.paper?id=a+b', () => ({
    status: 404,
    body: { Succeed: false, Error: 'It is gone.' },
  }));
  await press(user, 'Table');
  await press(user, 'Paper');
  assert.ok(await screen.findByText('It is gone.'));
  HTMLAnchorElement.prototype.click = click;
  assert.deepEqual(saved, ['Café.csv']);
});

test('a file that an operation gives is fetched by a link, and one that came too late is asked for once more', async () => {
  const { click } = HTMLAnchorElement.prototype;
  const saved: string[] = [];
  URL.createObjectURL ??= () => 'blob:file';
  URL.revokeObjectURL ??= () => {};
  HTMLAnchorElement.prototype.click = function record() {
    saved.push(this.download);
  };
  const { user } = await open([
    button('Paper', { do: 'download', operation: 'it.paper', with: { id: { value: 'a' } } }),
  ]);
  const late = { status: 410, body: { Succeed: false, Error: 'It is too old.' } };
  const file = {
    headers: { 'content-type': 'text/csv', 'content-disposition': "attachment; filename*=UTF-8''paper.csv" },
    body: {},
  };
  let links = 0;
  portal.answers.set('POST /ui/downloads/it.paper?id=a', () => {
    links += 1;
    return { body: { Succeed: true, Result: { Guid: `link-${links}` } } };
  });
  portal.answers.set('GET /ui/downloads/link-1', () => late);
  portal.answers.set('GET /ui/downloads/link-2', () => file);
  portal.answers.set('GET /ui/downloads/link-3', () => late);
  portal.answers.set('GET /ui/downloads/link-4', () => late);
  await press(user, 'Paper');
  await heardOf(portal, 'GET /ui/downloads/link-2', 1);
  await press(user, 'Paper');
  assert.ok(await screen.findByText('It is too old.'));
  HTMLAnchorElement.prototype.click = click;
  assert.deepEqual([saved, links], [['paper.csv'], 4]);
});

test('a table that is too long to be sent at once leads to what the portal says in place of a file', async () => {
  const { user } = await open([button('Table', { do: 'download', table: 'people', as: 'xlsx' })]);
  portal.answers.set('POST /ui/files/one/people.xlsx', () => ({
    status: 202,
    body: { Succeed: true, effects: [{ do: 'navigate', to: '/two' }] },
  }));
  await press(user, 'Table');
  await shown('The two');
  const [asked] = await heardOf(portal, 'POST /ui/files/one/people.xlsx', 1);
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  assert.deepEqual(asked?.body, { path: '/one', zone });
});

test('an unknown node is replaced by the offer of the newer version', async () => {
  const { user, left } = await open([{ type: 'hologram' } as unknown as Node, { type: 'text', text: 'Still here' }]);
  assert.ok(screen.getByText('Still here'));
  const offer = screen.getByText('A new version is ready').closest('.alert') as HTMLElement;
  await user.click(within(offer).getByRole('button', { name: 'Reload' }));
  assert.deepEqual(left, ['reload']);
});
