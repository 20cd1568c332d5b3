import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { FieldNode, StepsNode } from '../../../shared/language/types.ts';
import { type Heard, openPage, screenOf, startPortal, type TestPortal, type TestReply } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const field = (propertyName: string): FieldNode => ({
  type: 'field',
  propertyName,
  kind: 'text',
  label: propertyName,
  mandatory: true,
});
const wizard: StepsNode = {
  type: 'steps',
  id: 'order',
  testId: 'order',
  label: 'Steps',
  back: 'Back',
  steps: ['One', 'Two', 'Three'].map(name => ({
    id: name.toLowerCase(),
    title: `Step ${name}`,
    submit: 'Next',
    children: [field(name)],
  })),
  draft: {
    saved: 'Saved {{at}}',
    saving: 'Saving',
    unsaved: 'Not saved',
    changed: 'Changed elsewhere',
    mine: 'Keep mine',
    theirs: 'Show theirs',
  },
  on: {
    step: [{ do: 'command', command: 'order.step' }],
    keep: [{ do: 'command', command: 'order.keep' }],
  },
};

type Body = Readonly<Record<string, unknown>>;
/** What a server does that keeps a draft of two steps, the middle one hidden. */
function createServer() {
  const order = ['one', 'three'];
  const kept: Record<string, unknown> = {};
  let version = 1;
  const draft = () => ({ version, at: '2027-02-03T10:32:00Z' });
  const overtaken: TestReply = {
    status: 409,
    body: { Succeed: false, Error: 'Changed', Resources: { code: 'RECORD_CHANGED' } },
  };
  const keep = ({ $step, $to, $version, ...typed }: Body): boolean => {
    if ($version !== undefined && $version !== version) return false;
    if ($step !== undefined) version += 1;
    Object.assign(kept, typed);
    return true;
  };
  return {
    kept,
    /** Another device has been here. */
    overtake: (values: Body) => {
      version += 1;
      Object.assign(kept, values);
    },
    step({ body }: Heard): TestReply {
      const given = body?.body ?? {};
      if (!keep(given)) return overtaken;
      const at = String(given.$to ?? (given.$step === 'one' ? 'three' : 'one'));
      const steps = order.map((id, index) => ({
        id,
        isDone: index === 0 && kept.One !== undefined,
        isOpen: index === 0 || kept.One !== undefined,
      }));
      return { body: { Succeed: true, Result: { step: at, values: { ...kept }, steps, draft: draft() } } };
    },
    keep: ({ body }: Heard): TestReply =>
      keep(body?.body ?? {}) ? { body: { Succeed: true, Result: { draft: draft() } } } : overtaken,
  };
}

async function open() {
  portal = await startPortal([screenOf('here', [wizard])]);
  const server = createServer();
  portal.answers.set('POST /ui/command/order.step', heard => server.step(heard));
  portal.answers.set('POST /ui/command/order.keep', heard => server.keep(heard));
  const { user } = await openPage(portal, '/here');
  await box('One');
  return { user, server };
}
const box = async (name: string) => (await screen.findByRole('textbox', { name })) as HTMLInputElement;
const press = (name: string) => screen.findByRole('button', { name });
const saved = () => screen.findByText(/^Saved/);
const asksToLeave = () => {
  const unload = new Event('beforeunload', { cancelable: true });
  dispatchEvent(unload);
  return unload.defaultPrevented;
};

test('only the steps that there are stand in the list, and those that one may go to are pressed', async () => {
  const { user } = await open();
  const list = screen.getByRole('list', { name: 'Steps' });
  const names = () =>
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  assert.deepEqual(names(), ['Step One', 'Step Three']);
  assert.equal(within(list).queryByRole('button'), null, 'nothing is done yet');
  await user.type(await box('One'), 'first');
  await user.click(await press('Next'));
  await box('Three');
  await waitFor(() => assert.notEqual(document.activeElement, document.body));
  await user.type(await box('Three'), 'half');
  await user.click(await press('Step One'));
  assert.equal((await box('One')).value, 'first');
  await user.click(await press('Step Three'));
  assert.equal((await box('Three')).value, 'half');
  await user.click(await press('Back'));
  assert.equal((await box('One')).value, 'first');
});

test('what is typed is kept a moment later, said so, and leaving asks only until then', async () => {
  const { user, server } = await open();
  assert.equal(asksToLeave(), false);
  await user.type(await box('One'), 'typed');
  assert.equal(asksToLeave(), true);
  await waitFor(() => assert.equal(server.kept.One, 'typed'), { timeout: 5000 });
  await saved();
  await waitFor(() => assert.equal(asksToLeave(), false));
  portal.answers.set('POST /ui/command/order.keep', () => ({ status: 503, body: { Succeed: false, Error: 'Down' } }));
  await user.type(await box('One'), '!');
  await screen.findByText('Not saved', undefined, { timeout: 5000 });
  assert.equal(asksToLeave(), true);
});

test('changed elsewhere meanwhile, one chooses: what is typed here goes in, or what is there is shown', async () => {
  const { user, server } = await open();
  server.overtake({ One: 'theirs' });
  await user.type(await box('One'), 'mine');
  await screen.findByText('Changed elsewhere', undefined, { timeout: 5000 });
  assert.equal((await box('One')).value, 'mine');
  assert.equal(server.kept.One, 'theirs');
  await user.click(await press('Keep mine'));
  await saved();
  assert.equal(server.kept.One, 'mine');

  server.overtake({ One: 'theirs again' });
  await user.type(await box('One'), ' too');
  await user.click(await press('Next'));
  await user.click(await press('Show theirs'));
  await waitFor(async () => assert.equal((await box('One')).value, 'theirs again'));
  await saved();
  assert.equal(asksToLeave(), false);
});
