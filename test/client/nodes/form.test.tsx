import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { FieldNode, FormNode, Node, TickAllNode } from '../../../shared/language/types.ts';
import { assertEvery } from '../../fixtures/rows.ts';
import { mount } from '../mount.ts';

const field = (propertyName: string, more: Partial<FieldNode> = {}): FieldNode => ({
  type: 'field',
  propertyName,
  kind: 'text',
  label: propertyName,
  ...more,
});
const form = (children: readonly Node[], more: Partial<FormNode> = {}): FormNode => ({
  type: 'form',
  id: 'person',
  submit: 'Save',
  children,
  on: { submit: [{ do: 'call', operation: 'people.save' }] },
  ...more,
});
let page: Awaited<ReturnType<typeof mount>>;
const open = async (...args: Parameters<typeof mount>) => {
  page = await mount(...args);
  return page;
};
afterEach(() => page.unmount());

const input = (name: string) => screen.getByLabelText(name) as HTMLInputElement;
const save = () => page.user.click(screen.getByRole('button', { name: 'Save' }));

test('a field shows no error until it is touched', async () => {
  await open([form([field('Name', { mandatory: true })])]);
  assert.equal(screen.queryByText('Name is required'), null);
  await page.user.click(input('Name'));
  await page.user.tab();
  assert.ok(screen.getByText('Name is required'));
  assert.equal(input('Name').getAttribute('aria-invalid'), 'true');
  assert.equal(
    document.getElementById(input('Name').getAttribute('aria-describedby') ?? '')?.textContent,
    'Name is required',
  );
});

test('an invalid submit touches every field, focuses the first that is wrong and sends nothing', async () => {
  await open([
    form([field('Note'), field('Name', { mandatory: true }), field('Mail', { kind: 'email', mandatory: true })]),
  ]);
  await save();
  assert.ok(screen.getByText('Name is required'));
  assert.ok(screen.getByText('Mail is required'));
  assert.ok(document.activeElement === input('Name'));
  assert.deepEqual(page.calls, []);
});

test('a valid submit sends the values of the form and nothing else', async () => {
  await open([
    form([
      field('Name'),
      field('Age', { kind: 'number' }),
      field('Shown', { kind: 'display', initial: { value: 'x' } }),
      field('Opted', { kind: 'checkbox' }),
    ]),
  ]);
  await page.user.type(input('Name'), 'Ada');
  await page.user.type(input('Age'), '36');
  await page.user.click(input('Opted'));
  await save();
  assert.deepEqual(page.calls, [{ operation: 'people.save', with: {}, body: { Name: 'Ada', Age: 36, Opted: true } }]);
});

test('a field hidden by a condition is out of reach and not sent, and comes back as it was', async () => {
  await open([form([field('Kind', { kind: 'checkbox' }), field('Extra', { when: { path: 'form.Kind', is: true } })])]);
  assert.equal(screen.queryByLabelText('Extra'), null);
  await page.user.click(input('Kind'));
  const extra = input('Extra');
  await page.user.type(extra, 'more');
  await page.user.click(input('Kind'));
  assert.equal(screen.queryByRole('textbox', { name: 'Extra' }), null);
  await page.user.tab();
  assert.equal(document.activeElement?.textContent, 'Save');
  await save();
  assert.deepEqual(page.calls[0]?.body, { Kind: false });
  await page.user.click(input('Kind'));
  assert.ok(screen.getByRole('textbox', { name: 'Extra' }) === extra);
  assert.equal(extra.value, 'more');
});

test('of fields that share a name one is on the page at a time', async () => {
  const kind = { path: 'form.Kind' } as const;
  await open([
    form([
      field('Kind', { kind: 'checkbox' }),
      field('Extra', { label: 'Reason', when: { ...kind, is: true } }),
      field('Extra', { label: 'Remark', when: { not: { ...kind, is: true } } }),
    ]),
  ]);
  for (const label of ['Reason', 'Remark', 'Reason']) {
    await page.user.click(input('Kind'));
    assert.deepEqual(
      screen.getAllByRole('textbox').map(box => box.closest('.field')?.textContent),
      [`${label}Optional`],
    );
    assert.equal(document.querySelectorAll('[name="Extra"]').length, 1);
  }
});

test('a field disabled by a condition is neither checked nor sent', async () => {
  await open([
    form([
      field('Off', { kind: 'switch' }),
      field('Name', { mandatory: true, disabledWhen: { path: 'form.Off', is: true } }),
    ]),
  ]);
  await page.user.click(screen.getByRole('switch', { name: 'Off' }));
  assert.equal(input('Name').disabled, true);
  await save();
  assert.deepEqual(page.calls[0]?.body, { Off: true });
});

test('a number that was typed counts as a number to the conditions of other fields', async () => {
  await open([
    form([
      field('Seats', { kind: 'number' }),
      field('Reason', { when: { path: 'form.Seats', atLeast: 10 } }),
      field('Voucher', { disabledWhen: { path: 'form.Seats', atLeast: 10 } }),
    ]),
  ]);
  await page.user.type(input('Seats'), '9');
  assert.equal(screen.queryByLabelText('Reason'), null);
  await page.user.clear(input('Seats'));
  await page.user.type(input('Seats'), '12');
  assert.ok(input('Reason'));
  assert.equal(input('Voucher').disabled, true);
});

test('a field whose condition changes between hidden and disabled follows it', async () => {
  await open([
    form([
      field('Kind'),
      field('Extra', { when: { path: 'form.Kind', empty: false }, disabledWhen: { path: 'form.Kind', is: 'a' } }),
    ]),
  ]);
  assert.equal(screen.queryByLabelText('Extra'), null);
  await page.user.type(input('Kind'), 'a');
  assert.equal(input('Extra').disabled, true);
  await page.user.type(input('Kind'), 'b');
  assert.equal(input('Extra').disabled, false);
});

test('a text of a field follows what it reads of the form, hidden or not', async () => {
  await open([
    form([
      field('Name'),
      field('Box', { kind: 'checkbox' }),
      field('Note', {
        label: 'Note for {{name}}',
        values: { name: 'form.Name' },
        when: { path: 'form.Box', is: true },
      }),
    ]),
  ]);
  await page.user.type(input('Name'), 'Ada');
  await page.user.click(input('Box'));
  assert.ok(input('Note for Ada'));
  await page.user.type(input('Name'), '!');
  assert.ok(input('Note for Ada!'));
});

test('what the server says of a field stands at the field alone, until it changes', async () => {
  const refusal = { Succeed: false, Errors: { Name: ['Is taken'] }, Messages: ['Is taken'], Error: 'Invalid' };
  await open([form([field('Name')])], { replies: [refusal] });
  await page.user.type(input('Name'), 'Ada');
  await save();
  assert.ok(await screen.findByText('Is taken'));
  await waitFor(() => assert.ok(document.activeElement === input('Name')));
  assert.equal(screen.queryByRole('alert'), null);
  await page.user.type(input('Name'), '!');
  assert.equal(screen.queryByText('Is taken'), null);
});

test('a refusal stands above the form and what was typed stays', async () => {
  await open([form([field('Name')], { errorTitle: 'We could not save' })], {
    replies: [{ Succeed: false, Messages: ['First', 'Second'], Error: 'Other' }],
  });
  await page.user.type(input('Name'), 'Ada');
  await save();
  const alert = await screen.findByRole('alert');
  assert.equal(alert.textContent, 'We could not saveFirst');
  assert.equal(input('Name').value, 'Ada');
});

test('refused and invalid submits count as failures', async () => {
  await open(
    [
      form([
        field('Name', { mandatory: true }),
        field('Robot', { kind: 'checkbox', when: { path: 'form.$failures', atLeast: 3 } }),
      ]),
    ],
    { replies: [{ Succeed: false, Error: 'No' }] },
  );
  await save();
  await save();
  assert.equal(screen.queryByLabelText('Robot'), null);
  await page.user.type(input('Name'), 'x');
  await save();
  assert.ok(await screen.findByLabelText('Robot'));
});

test('the server may set the number of failures', async () => {
  const effects = [{ do: 'set' as const, path: 'form.$failures', value: 3 }];
  await open(
    [form([field('Name'), field('Robot', { kind: 'checkbox', when: { path: 'form.$failures', atLeast: 3 } })])],
    { replies: [{ Succeed: false, Error: 'No', effects }] },
  );
  await save();
  assert.ok(await screen.findByLabelText('Robot'));
});

test('a form with initial values is sent only once it differs from them', async () => {
  const data = { one: { Succeed: true, Result: { Name: 'Ada' } } };
  await open([form([field('Name')], { initial: 'data.one.Result' })], { data });
  const button = screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement;
  assert.equal(input('Name').value, 'Ada');
  assert.equal(button.disabled, true);
  await page.user.type(input('Name'), 'x');
  assert.equal(button.disabled, false);
  await page.user.type(input('Name'), '{Backspace}');
  assert.equal(button.disabled, true);
});

test('a form that is not to be sent blank waits for something to be typed, and a code goes without its spaces', async () => {
  await open([form([field('Code', { kind: 'one-time-code' })], { pristine: false })]);
  const button = screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement;
  assert.equal(button.disabled, true);
  await page.user.type(input('Code'), '   {Enter}');
  assert.equal(button.disabled, true);
  await page.user.type(input('Code'), '123 456');
  assert.equal(button.disabled, false);
  await save();
  assert.deepEqual(
    page.calls.map(({ body }) => body),
    [{ Code: '123456' }],
  );
});

test('after it was saved a form counts as unchanged', async () => {
  const data = { one: { Succeed: true, Result: { Name: 'Ada' } } };
  await open([form([field('Name')], { initial: 'data.one.Result' })], { data });
  await page.user.type(input('Name'), ' L');
  await save();
  assert.deepEqual(page.calls[0]?.body, { Name: 'Ada L' });
  assert.equal((screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement).disabled, true);
});

test('cancel brings back the first values and runs its effects', async () => {
  const data = { one: { Succeed: true, Result: { Name: 'Ada' } } };
  const on = { submit: [], cancel: [{ do: 'call' as const, operation: 'people.leave' }] };
  await open([form([field('Name')], { initial: 'data.one.Result', cancel: 'Cancel', on })], { data });
  await page.user.type(input('Name'), 'x');
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
  assert.equal(input('Name').value, 'Ada');
  assert.deepEqual(page.calls, [{ operation: 'people.leave', with: {} }]);
});

test('a form cannot be sent twice while it is being sent', async () => {
  let answer = (_: { Succeed: boolean }) => {};
  let count = 0;
  await open([form([field('Name')], { busy: 'Saving' })], {
    onCall: () => {
      count += 1;
      return new Promise(resolve => {
        answer = resolve;
      });
    },
  });
  await save();
  const busy = screen.getByRole('button', { name: 'Saving' });
  assert.equal(busy.getAttribute('aria-busy'), 'true');
  await page.user.click(busy);
  await page.user.type(input('Name'), '{Enter}');
  assert.equal(count, 1);
  answer({ Succeed: true });
  assert.ok(await screen.findByRole('button', { name: 'Save' }));
});

test('a field says its own messages', async () => {
  await open([
    form([
      field('Code', {
        mandatory: true,
        mandatoryMessage: 'This is a mandatory field',
        regex: '^A',
        invalidMessage: 'Begins with A',
      }),
    ]),
  ]);
  await save();
  assert.ok(screen.getByText('This is a mandatory field'));
  await page.user.type(input('Code'), 'B');
  assert.ok(screen.getByText('Begins with A'));
});

test('a pattern that is no valid expression matches nothing', async () => {
  await open([form([field('Code', { regex: '(' })])]);
  await page.user.type(input('Code'), 'B');
  assert.ok(screen.getByText('Must be the correct format'));
});

test('a password can be shown and hidden again', async () => {
  await open([form([field('Secret', { kind: 'password', autocomplete: 'current-password' })])]);
  const toggle = screen.getByRole('button', { name: 'Show password' });
  assert.equal(input('Secret').type, 'password');
  await page.user.click(toggle);
  assert.equal(input('Secret').type, 'text');
  assert.equal(toggle.getAttribute('aria-pressed'), 'true');
  assert.equal(input('Secret').autocomplete, 'current-password');
});

test('radios and selects send the value of their option, whatever its type', async () => {
  const options = [
    { value: 7, text: 'A week' },
    { value: 14, text: 'Two weeks' },
  ];
  await open([form([field('Days', { kind: 'select', options }), field('Period', { kind: 'radio', options })])]);
  await page.user.selectOptions(input('Days'), 'Two weeks');
  await page.user.click(screen.getByRole('radio', { name: 'A week' }));
  await save();
  assert.deepEqual(page.calls[0]?.body, { Days: 14, Period: 7 });
});

test('a field outside of a form is broken by itself and the rest of the page lives', async () => {
  await open([field('Lost'), { type: 'text', text: 'Still here' }]);
  assert.ok(screen.getByText('This part cannot be shown.'));
  assert.ok(screen.getByText('Still here'));
});

test('a keystroke draws its own field alone', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `Field${index}`);
  await open([form(names.map(name => field(name)))]);
  const before = new Map(names.map(name => [name, input(name).closest('.field')?.innerHTML]));
  const changes: string[] = [];
  const observer = new MutationObserver(records =>
    changes.push(...records.map(record => (record.target as Element).closest?.('.field')?.textContent ?? '')),
  );
  observer.observe(page.element, { subtree: true, childList: true, attributes: true });
  await page.user.type(input('Field7'), 'a');
  observer.disconnect();
  assertEvery(changes, text => text.startsWith('Field7'));
  assert.equal(before.size, 50);
});

test('a key draws nothing while what is said of its field stays, and the caret where it was', async () => {
  await open([form([field('Name', { maxLength: 4 })])]);
  await page.user.type(input('Name'), 'ac');
  const drawn = page.element.innerHTML;
  await page.user.type(input('Name'), 'b', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  assert.deepEqual([input('Name').value, input('Name').selectionStart], ['abc', 2]);
  assert.equal(page.element.innerHTML, drawn);
  await page.user.type(input('Name'), 'de');
  assert.equal(input('Name').getAttribute('aria-invalid'), 'true');
  await page.user.type(input('Name'), '{Backspace}');
  assert.equal(input('Name').getAttribute('aria-invalid'), null);
});

test('one box ticks and unticks many, and is half ticked while only some are', async () => {
  const ticks = ['Mail', 'Calendar'].map(name => field(name, { kind: 'checkbox' }));
  const all: TickAllNode = { type: 'tick-all', label: 'All', boxes: ['Mail', 'Calendar'] };
  await open([form([all, ...ticks])]);
  await screen.findByLabelText('All');
  const states = () => ['All', 'Mail', 'Calendar'].map(name => input(name).checked);
  await page.user.click(input('Calendar'));
  assert.deepEqual([...states(), input('All').indeterminate], [false, false, true, true]);
  await page.user.click(input('All'));
  assert.deepEqual([...states(), input('All').indeterminate], [true, true, true, false]);
  await page.user.click(input('All'));
  assert.deepEqual(states(), [false, false, false]);
});
