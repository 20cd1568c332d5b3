import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { Effect, FormNode, Node } from '../../../shared/language/types.ts';
import { heardOf, openPage, screenOf, shown, startPortal, type TestPortal, type TestReply } from '../open-page.tsx';

let portal: TestPortal;
beforeEach(() => sessionStorage.clear());
afterEach(() => portal.close());

const make: Effect = { do: 'call', operation: 'it.make' };
const form = (more: Partial<FormNode> = {}): FormNode => ({
  type: 'form',
  id: 'make',
  submit: 'Make',
  errorTitle: 'It could not be made',
  children: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 'Name' }],
  on: { submit: [make, { do: 'navigate', to: '/two' }] },
  ...more,
});
const said = 'Nobody knows whether this was done. Look first.';
const html = { 'content-type': 'text/html' };
const good: TestReply = { body: { Succeed: true } };
const withCode = (status: number, code: string, text: string): TestReply => ({
  status,
  body: { Succeed: false, Error: text, Resources: { code, reference: 'ABCD-EFGH' } },
});

async function open(children: readonly Node[]) {
  portal = await startPortal([screenOf('one', children), screenOf('two', [])]);
  return openPage(portal, '/one');
}

/** The portal gives these answers in turn; the last one stays. */
function answer(...answers: readonly TestReply[]): void {
  const left = [...answers];
  portal.answers.set('POST /ui/call/it.make', () => (left.length > 1 ? left.shift() : left[0]) as TestReply);
}
const keysOf = async (count: number) =>
  (await heardOf(portal, 'POST /ui/call/it.make', count)).map(({ headers }) => headers['idempotency-key']);
const makeButton = () => screen.getByRole('button', { name: 'Make' });

test('after any answer of 500 and more the same press has the same key, and one with other values a new one', async () => {
  for (const lost of [
    { status: 502, headers: html, body: 'Bad gateway' },
    { status: 503, headers: html, body: 'No live upstreams' },
    { status: 500, body: { Succeed: false } },
    withCode(500, 'INTERNAL', 'Something went wrong.'),
    withCode(502, 'UPSTREAM_GARBLED', 'We could not read it.'),
    withCode(503, 'STORE_DOWN', 'Not available.'),
    withCode(504, 'OUTCOME_UNKNOWN', 'We do not know.'),
    withCode(504, 'UPSTREAM_TIMEOUT', 'Too long.'),
  ]) {
    const { user } = await open([form()]);
    answer(lost);
    await user.type(screen.getByLabelText('Name'), 'Ada');
    await user.click(makeButton());
    await keysOf(1);
    await waitFor(() => assert.equal(makeButton().getAttribute('aria-busy'), null));
    await user.click(makeButton());
    await keysOf(2);
    await waitFor(() => assert.equal(makeButton().getAttribute('aria-busy'), null));
    answer(good);
    await user.type(screen.getByLabelText('Name'), 'x');
    await user.click(makeButton());
    await shown('The two');
    const [first, second, third] = await keysOf(3);
    assert.equal(second, first, JSON.stringify(lost));
    assert.notEqual(third, first, JSON.stringify(lost));
    await portal.close();
  }
  await open([]);
});

test('it is never said that it failed; trying again sends the same press and runs its effects', async () => {
  for (const [lost, text] of [
    [{ status: 502, headers: html, body: 'Bad gateway' }, said],
    [withCode(504, 'OUTCOME_UNKNOWN', 'We do not know it.'), 'We do not know it. Reference: ABCD-EFGH'],
  ] as const) {
    const { user } = await open([form()]);
    answer(lost, good);
    await user.type(screen.getByLabelText('Name'), 'Ada');
    await user.click(makeButton());
    assert.ok(await screen.findByText(text));
    assert.equal(screen.queryByText('It could not be made'), null);
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await shown('The two');
    const [first, second] = await keysOf(2);
    assert.equal(second, first);
    await portal.close();
  }
  await open([]);
});

test('one is offered to look: what the page shows is read again', async () => {
  const list: Node = {
    type: 'list',
    label: 'Things',
    rows: 'data.things.Result.Items',
    key: 'Id',
    titlePath: 'row.Name',
    emptyText: 'Nothing yet',
  };
  const button: Node = { type: 'button', id: 'make', text: 'Make', on: { press: [make] } };
  portal = await startPortal([screenOf('one', [button, list], { data: { things: { operation: 'things.list' } } })]);
  let items: object[] = [];
  portal.answers.set('GET /ui/data/things.list', () => ({ body: { Succeed: true, Result: { Items: items } } }));
  const { user } = await openPage(portal, '/one');
  assert.ok(await screen.findByText('Nothing yet'));
  items = [{ Id: 1, Name: 'Ada' }];
  answer({ status: 502, headers: html, body: 'Bad gateway' });
  await user.click(makeButton());
  assert.ok(await screen.findByText(said));
  await user.click(await screen.findByRole('button', { name: 'Check now' }));
  assert.ok(await screen.findByText('Ada'));
  assert.ok(await screen.findByText('This is what is there.'));
});

test('what makes something new is looked for where its screen is reached from', async () => {
  portal = await startPortal([
    screenOf('one', [form()], { crumbs: [{ text: 'The two', to: '/two' }] }),
    screenOf('two', []),
  ]);
  const { user } = await openPage(portal, '/one');
  answer({ status: 502, headers: html, body: 'Bad gateway' });
  await user.type(screen.getByLabelText('Name'), 'Ada');
  await user.click(makeButton());
  const link = await screen.findByRole('link', { name: /^Check now/ });
  assert.deepEqual([link.getAttribute('href'), link.getAttribute('target')], ['/two', '_blank']);
});

test('a refusal of the portal itself says nothing of what was sent before: the key stays', async () => {
  for (const [refusal, isSame] of [
    [withCode(429, 'TOO_MANY', 'Wait.'), true],
    [withCode(409, 'LAYOUT_CHANGED', 'It has changed.'), true],
    [{ status: 409, body: { Succeed: false, Messages: ['The cloud refuses it.'] } }, false],
  ] as const) {
    const { user } = await open([form()]);
    answer({ status: 502, headers: html, body: 'Bad gateway' }, refusal, good);
    await user.type(screen.getByLabelText('Name'), 'Ada');
    for (const count of [1, 2, 3]) {
      await user.click(makeButton());
      await keysOf(count);
      if (count < 3) await waitFor(() => assert.equal(makeButton().getAttribute('aria-busy'), null));
    }
    await shown('The two');
    const [first, second, third] = await keysOf(3);
    assert.equal(second, first);
    assert.equal(third === first, isSame, JSON.stringify(refusal));
    await portal.close();
  }
  await open([]);
});

test('the key is there again when the page is loaded anew, but of nothing that holds a password', async () => {
  const password: Node = { type: 'field', propertyName: 'Password', kind: 'password', label: 'Password' };
  for (const [children, isSame] of [
    [form().children ?? [], true],
    [[...(form().children ?? []), password], false],
  ] as const) {
    let page = await open([form({ children })]);
    answer({ status: 502, headers: html, body: 'Bad gateway' });
    const fill = async () => {
      await page.user.type(screen.getByLabelText('Name'), 'Ada');
      if (!isSame) await page.user.type(screen.getByLabelText('Password'), 'Very-secret-1');
      await page.user.click(makeButton());
      assert.ok(await screen.findByText(said));
    };
    await fill();
    assert.ok(!JSON.stringify({ ...sessionStorage }).includes('Very-secret'));
    page = await openPage(portal, '/one');
    await fill();
    const [first, second] = await keysOf(2);
    assert.equal(second === first, isSame);
    await portal.close();
  }
  await open([]);
});
