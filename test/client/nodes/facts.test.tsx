import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { act, cleanup, screen } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(() => {
  cleanup();
  mock.timers.reset();
});

const path = (name: string) => `data.it.Result.${name}`;

test('each fact is a label and its value in its format', () => {
  const { container } = openNodes(
    [
      {
        type: 'facts',
        items: [
          { label: 'Name', path: path('Name') },
          { label: 'Since', path: path('Since'), format: 'date' },
        ],
      },
    ],
    { Name: 'Ashdown', Since: '2021-03-14T12:00:00Z' },
  );
  assert.deepEqual(
    [...container.querySelectorAll('dt')].map(one => one.textContent),
    ['Name', 'Since'],
  );
  assert.deepEqual(
    [...container.querySelectorAll('dd')].map(one => one.textContent),
    ['Ashdown', '14/03/2021'],
  );
});

test('pence are quieter than pounds, in a list and in a ledger', () => {
  const items = [{ label: 'Spend', path: path('Spend'), format: 'currency' as const }];
  const { container } = openNodes(
    [
      { type: 'facts', items },
      { type: 'facts', look: 'ledger', items },
    ],
    { Spend: 18942.1 },
  );
  const values = [...container.querySelectorAll('dd')];
  assert.deepEqual(
    values.map(one => one.textContent),
    ['£18,942.10', '£18,942.10'],
  );
  assert.deepEqual(
    values.map(one => one.querySelector('small')?.textContent),
    ['.10', '.10'],
  );
});

test('a value of a catalogue is a status, a value with an address a link', () => {
  openNodes(
    [
      {
        type: 'facts',
        items: [
          { label: 'Status', path: path('Status'), catalogue: [{ value: 'Active', text: 'In use', kind: 'ok' }] },
          { label: 'Owner', path: path('Owner'), to: '/users/{data.it.Result.Owner}' },
        ],
      },
    ],
    { Status: 'Active', Owner: 'priya' },
  );
  assert.equal(screen.getByText('In use').className, 'status status--ok');
  assert.equal(screen.getByRole('link', { name: 'priya' }).getAttribute('href'), '/users/priya');
});

test('a fact without a value is a dash, one whose condition is not met is not there', () => {
  const { container } = openNodes(
    [
      {
        type: 'facts',
        items: [
          { label: 'Phone', path: path('Phone') },
          { label: 'VAT', path: path('Vat'), when: { path: path('Business'), is: true } },
        ],
      },
    ],
    {},
  );
  assert.equal(container.querySelector('dl')?.textContent, 'Phone–');
});

test('a bone stands for a value that has been loading for a while, nothing before', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { portal, container } = openNodes([
    { type: 'facts', items: [{ label: 'Name', path: 'data.slow.Result.Name' }] },
  ]);
  act(() => portal.screen.get()?.document.status.set({ slow: { loading: true, failed: undefined } }));
  assert.equal(container.querySelector('dd')?.innerHTML, '');
  act(() => mock.timers.tick(400));
  assert.ok(container.querySelector('dd .bone'));
});

test('what could not be read says so and can be tried again', async () => {
  const { portal, user } = openNodes([{ type: 'facts', items: [{ label: 'Name', path: 'data.slow.Result.Name' }] }]);
  let reads = 0;
  const document = portal.screen.get()?.document;
  document?.reads.set('slow', () => {
    reads += 1;
  });
  act(() => document?.status.set({ slow: { loading: false, failed: 'The cloud did not answer.' } }));
  assert.ok(screen.getByText('The cloud did not answer.'));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  assert.equal(reads, 1);
});
