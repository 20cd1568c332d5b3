import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { EmbeddedCall } from '../../../client/embed.ts';
import type { Delivered } from '../../../shared/contract/delivered.ts';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { DeliveredNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());

const node: DeliveredNode = {
  type: 'delivered',
  id: 'popup',
  model: 'generic-popup',
  operation: 'popups.schema',
  operations: ['popups.save'],
  with: { id: 'row.Id' },
  submit: 'Apply',
  on: { done: [{ do: 'call', operation: 'after' }] },
};
const model: Delivered = {
  title: 'Service',
  children: [
    { type: 'heading', text: 'Domain' },
    {
      type: 'field',
      propertyName: 'Domain',
      kind: 'text',
      label: 'Domain name',
      mandatory: true,
      mandatoryMessage: 'This is a mandatory field',
    },
    { type: 'field', propertyName: 'Seats', kind: 'number', label: 'Seats' },
    {
      type: 'field',
      propertyName: 'Note',
      kind: 'text',
      label: 'Note',
      when: { not: { path: 'form.Domain', is: 'none' } },
    },
  ],
  values: { Domain: 'fernhill.test', Seats: 4 },
  events: ['service-changed'],
};

/** Opens the node; `submit` answers what is submitted. */
async function open(
  submit: (call: EmbeddedCall) => Envelope,
  opened: () => Envelope = () => ({ Succeed: true, Result: model }),
) {
  const calls: EmbeddedCall[] = [];
  page = await mount([node], {
    onCall: async call => {
      calls.push(call);
      return call.command === 'delivered.open'
        ? opened()
        : call.command === 'delivered.submit'
          ? submit(call)
          : { Succeed: true };
    },
  });
  return calls;
}

test('a delivered form has the fields and first values of its model', async () => {
  await open(() => ({ Succeed: true }));
  assert.equal(((await screen.findByLabelText('Domain name')) as HTMLInputElement).value, 'fernhill.test');
  assert.ok(screen.getByRole('heading', { name: 'Domain' }));
  assert.equal((screen.getByLabelText('Seats') as HTMLInputElement).value, '4');
});

test('its values are checked and sent by name; then its own effects run', async () => {
  const calls = await open(() => ({ Succeed: true }));
  const domain = await screen.findByLabelText('Domain name');
  await page.user.clear(domain);
  await page.user.click(screen.getByRole('button', { name: 'Apply' }));
  assert.ok(screen.getByText('This is a mandatory field'));
  assert.equal(calls.length, 1);
  await page.user.type(domain, 'none');
  await page.user.click(screen.getByRole('button', { name: 'Apply' }));
  await waitFor(() => assert.equal(calls.length, 3));
  assert.deepEqual(calls[1], { command: 'delivered.submit', with: {}, body: { Domain: 'none', Seats: 4 } });
  assert.deepEqual(calls[2], { operation: 'after', with: {} });
});

test('the first message of a successful submit stands as confirmation in place of the form', async () => {
  const calls = await open(() => ({ Succeed: true, Messages: ['It will be ready in an hour', 'Other'] }));
  await screen.findByLabelText('Seats');
  await page.user.click(screen.getByRole('button', { name: 'Apply' }));
  assert.ok(await screen.findByText('It will be ready in an hour'));
  assert.equal(screen.queryByLabelText('Seats'), null);
  assert.equal(calls.length, 2);
  await page.user.click(screen.getByRole('button', { name: 'Done' }));
  assert.equal(calls.length, 3);
});

test('a refused submit says why and keeps what was typed', async () => {
  await open(() => ({ Succeed: false, Error: 'Out of seats' }));
  await page.user.type(await screen.findByLabelText('Note'), 'please');
  await page.user.click(screen.getByRole('button', { name: 'Apply' }));
  assert.equal((await screen.findByRole('alert')).textContent, 'Out of seats');
  assert.equal((screen.getByLabelText('Note') as HTMLInputElement).value, 'please');
});

test('a form that cannot be delivered says so and can be tried again', async () => {
  let isUp = false;
  await open(
    () => ({ Succeed: true }),
    () => (isUp ? { Succeed: true, Result: model } : { Succeed: false, Error: 'Not there' }),
  );
  assert.ok(await screen.findByText('Not there'));
  isUp = true;
  await page.user.click(screen.getByRole('button', { name: 'Try again' }));
  assert.ok(await screen.findByLabelText('Domain name'));
});

const hasFocus = (element: HTMLElement) =>
  waitFor(() => assert.ok(document.activeElement === element, `${document.activeElement?.outerHTML}`));

test('after a submit that is confirmed the focus is on the way on', async () => {
  await open(() => ({ Succeed: true, Messages: ['It will be ready in an hour'] }));
  await screen.findByLabelText('Seats');
  await page.user.click(screen.getByRole('button', { name: 'Apply' }));
  await hasFocus(await screen.findByRole('button', { name: 'Done' }));
});

/** Opens a popup whose content is delivered by `opened`. */
async function openPopup(opened: () => Envelope | Promise<Envelope>) {
  page = await mount([{ type: 'button', text: 'Open', on: { press: [{ do: 'open-popup', popup: 'setup' }] } }], {
    popups: { setup: { kind: 'popup', id: 'setup', title: 'Set up', children: [node] } },
    onCall: async call => (call.command === 'delivered.open' ? opened() : { Succeed: true }),
  });
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
}

test('the first field of a popup takes the focus when it comes', async () => {
  let deliver = (_: Envelope) => {};
  await openPopup(() => new Promise<Envelope>(resolve => (deliver = resolve)));
  await hasFocus(screen.getByRole('button', { name: 'Close' }));
  deliver({ Succeed: true, Result: model });
  await hasFocus(await screen.findByLabelText('Domain name'));
});

test('a first field that goes and comes again before anything was pressed has the focus again, and not after', async () => {
  await openPopup(() => ({ Succeed: true, Result: model }));
  const field = await screen.findByLabelText('Domain name');
  await hasFocus(field);
  const form = field.closest('form') as HTMLElement;
  const place = form.parentElement as HTMLElement;
  const goAndCome = async () => {
    form.remove();
    await hasFocus(place.closest('.dialog__body') as HTMLElement);
    place.append(form);
  };
  await goAndCome();
  await hasFocus(field);
  await page.user.type(field, '.uk');
  await goAndCome();
  await new Promise(resolve => setTimeout(resolve, 20));
  assert.notEqual(document.activeElement, field);
});

test('trying again in a popup leads to what then comes', async () => {
  let isUp = false;
  await openPopup(() => (isUp ? { Succeed: true, Result: model } : { Succeed: false, Error: 'Not there' }));
  isUp = true;
  await page.user.click(await screen.findByRole('button', { name: 'Try again' }));
  await hasFocus(await screen.findByLabelText('Domain name'));
});
