import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { TableNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => {
  localStorage.clear();
  page.unmount();
});

const table: TableNode = {
  type: 'table',
  id: 'people',
  label: 'People',
  rows: 'data.it.Result.Items',
  key: 'Id',
  columns: [
    { title: 'Name', path: 'row.Name', priority: 'lead' },
    { title: 'State', path: 'row.State' },
  ],
  bulk: [
    {
      id: 'stop',
      text: 'Stop them',
      when: { path: 'row.State', is: 'Active' },
      leftOut: 'Stopped already',
      question: { one: 'Stop {{count}} person?', other: 'Stop {{count}} people?' },
      on: {
        each: [{ do: 'call', operation: 'people.stop', with: { id: 'row.Id' } }],
        undo: [{ do: 'call', operation: 'people.start', with: { id: 'row.Id' } }],
      },
    },
  ],
  empty: { title: 'Nobody' },
};
const people = ['Ada', 'Ben', 'Cy', 'Dee', 'Eve', 'Flo'].map((Name, index) => ({
  Id: index + 1,
  Name,
  State: Name === 'Cy' ? 'Stopped' : 'Active',
}));
const open = async (options: Partial<Parameters<typeof mount>[1]> = {}) => {
  page = await mount([table], { data: { it: { Succeed: true, Result: { Items: people } } }, ...options });
};
const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` }) as HTMLInputElement;
const chosen = () => people.map(({ Name }) => Name).filter(name => box(name).checked);
const begin = async () => {
  await page.user.click(await screen.findByRole('button', { name: 'Stop them' }));
  const dialog = await screen.findByRole('dialog', { name: /^Stop \d/ });
  await page.user.click(within(dialog).getByRole('button', { name: 'Stop them' }));
  return dialog;
};

test('without an action there are no boxes', async () => {
  const { bulk, ...plain } = table;
  page = await mount([plain], { data: { it: { Succeed: true, Result: { Items: people } } } });
  assert.equal(screen.queryAllByRole('checkbox').length, 0);
});

test('the box of the head chooses and lets go of the page, and says when some are chosen', async () => {
  await open();
  const all = screen.getAllByRole('checkbox', { name: 'Select all on this page' }).at(-1) as HTMLInputElement;
  await page.user.click(box('Ben'));
  assert.deepEqual([all.checked, all.indeterminate], [false, true]);
  await page.user.click(all);
  assert.equal(chosen().length, people.length);
  assert.ok(await screen.findByText('6 selected'));
  await page.user.click(all);
  assert.deepEqual(chosen(), []);
});

test('Shift with a click chooses what lies between, or lets go of it', async () => {
  await open();
  await page.user.click(box('Eve'));
  await page.user.keyboard('{Shift>}');
  await page.user.click(box('Ben'));
  await page.user.keyboard('{/Shift}');
  assert.deepEqual(chosen(), ['Ben', 'Cy', 'Dee', 'Eve']);
  await page.user.keyboard('{Shift>}');
  await page.user.click(box('Dee'));
  await page.user.keyboard('{/Shift}');
  assert.deepEqual(chosen(), ['Eve']);
});

test('arrows lead from box to box, and choose with Shift', async () => {
  await open();
  box('Ada').focus();
  await page.user.keyboard('{ArrowDown}');
  assert.ok(document.activeElement === box('Ben'));
  await page.user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  assert.deepEqual(chosen(), ['Ben', 'Cy', 'Dee']);
  await page.user.keyboard('{Shift>}{ArrowUp}{/Shift}');
  assert.deepEqual(chosen(), ['Ben', 'Cy']);
});

test('the call is made for each row that the action is for, and what was done is let go of', async () => {
  await open();
  for (const name of ['Ada', 'Cy', 'Dee']) await page.user.click(box(name));
  const dialog = await begin();
  assert.ok(await within(dialog).findByText('2 done, 0 failed, 0 not started'));
  assert.deepEqual(
    page.calls.map(call => [call.operation, call.with]),
    [
      ['people.stop', { id: 1 }],
      ['people.stop', { id: 4 }],
    ],
  );
  assert.ok(within(dialog).getByText('Stopped already'));
  await page.user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  assert.deepEqual(chosen(), ['Cy']);
});

test('only what failed is tried again, and only what was done is taken back', async () => {
  let answers = 0;
  await open({
    onCall: async call => {
      page.calls.push(call);
      answers += 1;
      return answers === 2 ? { Succeed: false, Error: 'Not just now' } : { Succeed: true };
    },
  });
  for (const name of ['Ada', 'Ben', 'Dee']) await page.user.click(box(name));
  const dialog = await begin();
  assert.ok(await within(dialog).findByText('2 done, 1 failed, 0 not started'));
  assert.ok(within(dialog).getByText('Not just now'));
  await page.user.click(within(dialog).getByRole('button', { name: 'Undo' }));
  await waitFor(() => assert.equal(within(dialog).getAllByText('Taken back').length, 2));
  assert.deepEqual(
    page.calls.slice(3).map(call => [call.operation, call.with.id]),
    [
      ['people.start', 1],
      ['people.start', 4],
    ],
  );
  await page.user.click(within(dialog).getByRole('button', { name: 'Retry 1 that failed' }));
  assert.ok(await within(dialog).findByText('3 done, 0 failed, 0 not started'));
  assert.deepEqual(page.calls.at(-1)?.with, { id: 2 });
});

test('at most four calls are on their way at once', async () => {
  let running = 0;
  let most = 0;
  await open({
    onCall: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(resolve => setTimeout(resolve, 5));
      running -= 1;
      return { Succeed: true };
    },
  });
  for (const { Name } of people) await page.user.click(box(Name));
  const dialog = await begin();
  assert.ok(await within(dialog).findByText('5 done, 0 failed, 0 not started'));
  assert.equal(most, 4);
});

test('each row that is left out says its own reason, or else the one for all', async () => {
  const people = ['Ada', 'Ben', 'Cy'].map((Name, Id) => ({ Id, Name, State: ['Active', 'Owed', 'Stopped'][Id] }));
  const [stop] = table.bulk!;
  const reasons = [{ when: { path: 'row.State', is: 'Owed' }, text: 'Still owed' }];
  const node = { ...table, bulk: [{ ...stop!, reasons }] };
  page = await mount([node], { data: { it: { Succeed: true, Result: { Items: people } } } });
  for (const { Name } of people) await page.user.click(box(Name));
  await page.user.click(await screen.findByRole('button', { name: 'Stop them' }));
  const dialog = await screen.findByRole('dialog', { name: 'Stop 1 person?' });
  assert.ok(within(dialog).getByText('Still owed') && within(dialog).getByText('Stopped already'));
});

test('what follows for a row is told of it before the action begins, and of no other', async () => {
  const people = ['Ada', 'Ben'].map((Name, Id) => ({ Id, Name, State: 'Active', Services: Id }));
  const [stop] = table.bulk!;
  const text = { one: '{{count}} service stops', other: '{{count}} services stop' };
  const notes = [{ when: { path: 'row.Services', atLeast: 1 }, text, values: { count: 'row.Services' } }];
  page = await mount([{ ...table, bulk: [{ ...stop!, notes }] }], {
    data: { it: { Succeed: true, Result: { Items: people } } },
  });
  for (const { Name } of people) await page.user.click(box(Name));
  await page.user.click(await screen.findByRole('button', { name: 'Stop them' }));
  const dialog = await screen.findByRole('dialog', { name: 'Stop 2 people?' });
  const lines = within(dialog).getAllByRole('listitem');
  assert.deepEqual(
    lines.map(({ textContent }) => textContent),
    ['Ada', 'Ben1 service stops'],
  );
});
