import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { FieldNode, Node, StepsNode } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const name: FieldNode = { type: 'field', propertyName: 'Name', kind: 'text', label: 'Name', mandatory: true };
const wizard: StepsNode = {
  type: 'steps',
  id: 'start',
  label: 'Steps',
  back: 'Back',
  steps: [
    { id: 'ask', title: 'Ask', submit: 'Next', whole: true, children: [name] },
    { id: 'sure', title: 'Sure', submit: 'Start' },
    { id: 'done', title: 'Done', submit: 'Close', last: true },
  ],
  on: { step: [{ do: 'command', command: 'start.step' }] },
};
const order = ['', 'ask', 'sure', 'done'];

async function open() {
  portal = await startPortal([screenOf('here', [wizard])]);
  const heard: unknown[] = [];
  portal.answers.set('POST /ui/command/start.step', ({ body }) => {
    heard.push(body?.body);
    const step = order[order.indexOf(String(body?.body?.$step ?? '')) + 1];
    return { body: { Succeed: true, Result: { step, values: {} } } };
  });
  const { user } = await openPage(portal, '/here');
  return { user, heard };
}
const press = async (text: string) => (await screen.findByRole('button', { name: text })) as HTMLButtonElement;
const box = async () => (await screen.findByRole('textbox', { name: 'Name' })) as HTMLInputElement;
const asksToLeave = () => {
  const unload = new Event('beforeunload', { cancelable: true });
  dispatchEvent(unload);
  return unload.defaultPrevented;
};

test('a step that is sent as a whole can be sent while all of it is right, and at no other time', async () => {
  const { user } = await open();
  assert.equal((await press('Next')).disabled, true);
  await user.type(await box(), 'Ada');
  assert.equal((await press('Next')).disabled, false);
  await user.clear(await box());
  assert.equal((await press('Next')).disabled, true);
});

test('from the last step none goes back, nothing is unsaved, and nothing of before is sent again', async () => {
  const { user, heard } = await open();
  await user.type(await box(), 'Ada');
  await user.click(await press('Next'));
  await press('Back');
  assert.equal(asksToLeave(), true);
  await user.click(await press('Start'));
  await press('Close');
  assert.equal(screen.queryByRole('button', { name: 'Back' }), null);
  assert.equal(asksToLeave(), false);
  await user.click(await press('Close'));
  await waitFor(() => assert.deepEqual(heard.at(-1), { $step: 'done' }));
});

test('a step that is pressed twice is sent once', async () => {
  const { user, heard } = await open();
  await user.type(await box(), 'Ada');
  await user.dblClick(await press('Next'));
  await user.dblClick(await press('Start'));
  await press('Close');
  await new Promise(resolve => setTimeout(resolve, 100));
  assert.deepEqual(
    heard.map(body => (body as { $step?: string }).$step),
    [undefined, 'ask', 'sure'],
  );
});

test('the second click of a double click does not press the button of the next step', async () => {
  const { user, heard } = await open();
  await user.type(await box(), 'Ada');
  await user.click(await press('Next'));
  fireEvent.click(await press('Start'), { detail: 2 });
  fireEvent.click(await press('Back'), { detail: 2 });
  await user.click(await press('Start'));
  await press('Close');
  assert.deepEqual(
    heard.map(body => (body as { $step?: string }).$step),
    [undefined, 'ask', 'sure'],
  );
});

test('where something else comes first, what was typed in any step is there when one comes back, and is not unsaved', async () => {
  const steps: StepsNode['steps'] = [
    { id: 'ask', title: 'Ask', submit: 'Next', children: [name] },
    { id: 'more', title: 'More', submit: 'On', children: [{ ...name, propertyName: 'Town', label: 'Town' }] },
    { id: 'sure', title: 'Sure', submit: 'Start' },
  ];
  let isSigned = false;
  const link = (to: string): Node => ({ type: 'link', to, text: to });
  portal = await startPortal([
    screenOf('here', [{ ...wizard, steps }, link('/terms')]),
    screenOf('terms', [link('/here')]),
  ]);
  portal.answers.set('POST /ui/command/start.step', ({ body }) => {
    const asked = body?.body?.$step;
    const effects = [{ do: 'navigate', to: '/terms' }];
    if (asked === 'more' && !isSigned)
      return { body: { Succeed: true, Result: { step: 'more', values: {}, waits: true }, effects } };
    const step = asked === undefined ? 'ask' : asked === 'ask' ? 'more' : 'sure';
    return { body: { Succeed: true, Result: { step, values: {} } } };
  });
  const { user } = await openPage(portal, '/here');
  await user.type(await box(), 'Ada');
  await user.click(await press('Next'));
  await user.type(await screen.findByRole('textbox', { name: 'Town' }), 'Ely');
  await user.click(await press('On'));
  await waitFor(() => assert.equal(location.pathname, '/terms'));
  isSigned = true;
  await user.click(await screen.findByRole('link', { name: '/here' }));
  const town = (await screen.findByRole('textbox', { name: 'Town' })) as HTMLInputElement;
  assert.equal(town.value, 'Ely');
  await user.click(await press('Back'));
  assert.equal((await box()).value, 'Ada');
  await user.click(await press('Next'));
  const again = (await screen.findByRole('textbox', { name: 'Town' })) as HTMLInputElement;
  assert.equal(again.value, 'Ely', 'going back took nothing away');
  await user.click(await press('On'));
  await press('Start');
  await user.click(await screen.findByRole('link', { name: '/terms' }));
  await user.click(await press('Leave'));
  await user.click(await screen.findByRole('link', { name: '/here' }));
  assert.equal((await box()).value, '', 'once it has gone on nothing is kept');
});

test('Back of the browser goes one step back, Forward comes again with what was typed, and what replaces the wizard replaces all of its steps', async () => {
  const town = { ...name, propertyName: 'Town', label: 'Town' };
  const steps: StepsNode['steps'] = [
    { id: 'ask', title: 'Ask', submit: 'Next', children: [name] },
    { id: 'more', title: 'More', submit: 'On', children: [town] },
    { id: 'sure', title: 'Sure', submit: 'Start' },
  ];
  const link: Node = { type: 'link', to: '/here', text: 'here' };
  portal = await startPortal([
    screenOf('there', [link]),
    screenOf('here', [{ ...wizard, steps }]),
    screenOf('end', []),
  ]);
  portal.answers.set('POST /ui/command/start.step', ({ body }) => {
    const asked = body?.body?.$step;
    if (asked === 'sure') return { body: { Succeed: true, effects: [{ do: 'navigate', to: '/end', replace: true }] } };
    const step = asked === undefined ? 'ask' : asked === 'ask' ? 'more' : 'sure';
    return { body: { Succeed: true, Result: { step, values: {} } } };
  });
  const { user } = await openPage(portal, '/there');
  const townBox = async () => (await screen.findByRole('textbox', { name: 'Town' })) as HTMLInputElement;
  await user.click(await screen.findByRole('link', { name: 'here' }));
  await user.type(await box(), 'Ada');
  await user.click(await press('Next'));
  await user.type(await townBox(), 'Ely');
  await user.click(await press('On'));
  await press('Start');
  await waitFor(() => assert.equal(location.search, '?step=sure'));
  history.back();
  assert.equal((await townBox()).value, 'Ely');
  history.back();
  assert.equal((await box()).value, 'Ada');
  assert.equal(location.search, '');
  await user.clear(await box());
  history.forward();
  await waitFor(() => assert.equal(location.search, '?step=more'));
  await screen.findByText('Name is required');
  await waitFor(() => assert.equal(location.search, ''));
  await user.type(await box(), 'Bea');
  history.forward();
  assert.equal((await townBox()).value, 'Ely');
  await user.click(await press('Back'));
  assert.equal((await box()).value, 'Bea');
  await waitFor(() => assert.equal(location.search, ''));
  await user.click(await press('Next'));
  await user.click(await press('On'));
  await user.click(await press('Start'));
  await waitFor(() => assert.equal(location.pathname, '/end'));
  history.back();
  await waitFor(() => assert.equal(location.pathname, '/there'));
});
