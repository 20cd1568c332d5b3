import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, within } from '@testing-library/react';
import type { FormNode, Node } from '../../../shared/language/types.ts';
import { spreadRows } from '../../../shared/rules/rows.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());

const fields: Node[] = [
  { type: 'field', propertyName: 'Town', kind: 'text', label: 'Town', mandatory: true },
  { type: 'field', propertyName: 'Blocks', kind: 'number', label: 'Blocks' },
];
const group = { propertyName: 'Sites', min: 1, max: 3, children: fields };
const form: FormNode = {
  type: 'form',
  id: 'sites',
  submit: 'Save',
  children: [
    {
      type: 'field-rows',
      ...group,
      testId: 'sites',
      label: 'Sites',
      title: 'Site {{letter}}',
      add: 'Add a site',
      remove: 'Remove site {{letter}}',
      removed: 'Site {{letter}} was removed.',
      undoText: 'Undo',
      children: spreadRows(group),
    },
  ],
  on: { submit: [{ do: 'call', operation: 'sites.save' }] },
};

const site = (letter: string) => screen.getByRole('group', { name: `Site ${letter}` });
const town = (letter: string) => within(site(letter)).getByRole('textbox', { name: 'Town' }) as HTMLInputElement;
const button = (name: string) => screen.queryByRole('button', { name });
const focus = () => document.activeElement;
const letters = () =>
  screen
    .getAllByRole('group')
    .flatMap(({ firstChild }) => (firstChild?.nodeName === 'LEGEND' ? [firstChild.textContent] : []));

/** Three sites, with the names of towns. */
async function open() {
  page = await mount([form]);
  for (const [letter, name] of [
    ['A', 'Leeds'],
    ['B', 'York'],
    ['C', 'Hull'],
  ] as const) {
    if (letter !== 'A') await page.user.click(button('Add a site')!);
    await page.user.type(town(letter), name);
  }
}

test('there are as many rows as there must be; one more is lettered and takes the focus, up to as many as there can be', async () => {
  page = await mount([form]);
  assert.deepEqual(letters(), ['Site A']);
  assert.equal(button('Remove site A'), null, 'one there must be');
  await page.user.click(button('Add a site')!);
  assert.equal(focus(), town('B'));
  await page.user.keyboard('York');
  await page.user.click(button('Add a site')!);
  assert.deepEqual(letters(), ['Site A', 'Site B', 'Site C']);
  assert.equal(button('Add a site'), null);
  assert.equal(town('C').getAttribute('aria-invalid'), null);
});

test('one that is removed can be undone as it was; the others are lettered anew, and the focus stays near', async () => {
  await open();
  await page.user.click(button('Remove site B')!);
  assert.deepEqual(letters(), ['Site A', 'Site B']);
  assert.equal(town('B').value, 'Hull');
  assert.ok(screen.getByText('Site B was removed.'));
  assert.equal(focus(), button('Undo'));
  await page.user.keyboard('{Enter}');
  assert.deepEqual(letters(), ['Site A', 'Site B', 'Site C']);
  assert.equal(town('B').value, 'York');
  assert.equal(focus(), town('B'));
  assert.equal(button('Undo'), null);
});

test('a row that takes the place of a removed one is empty', async () => {
  await open();
  await page.user.click(button('Remove site C')!);
  await page.user.click(button('Remove site A')!);
  await page.user.click(button('Add a site')!);
  assert.deepEqual([town('A').value, town('B').value].sort(), ['', 'York']);
});

test('what is sent is what is there; a row that lacks something is told, one that was removed is not', async () => {
  await open();
  await page.user.clear(town('B'));
  await page.user.click(button('Save')!);
  assert.equal(focus(), town('B'));
  assert.ok(screen.getByText('Town is required'));
  await page.user.click(button('Remove site B')!);
  await page.user.click(button('Save')!);
  assert.deepEqual(page.calls.at(-1)?.body, {
    Sites1: true,
    Sites1Town: 'Leeds',
    Sites3: true,
    Sites3Town: 'Hull',
  });
});
