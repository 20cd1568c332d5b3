import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, render } from '@testing-library/react';
import { Money } from '../../../client/look/money.tsx';

afterEach(cleanup);

const quiet = (text: string) => {
  const { container } = render(<Money text={text} />);
  assert.equal(container.textContent, text);
  return container.querySelector('small')?.textContent;
};

test('the pence of an amount are quieter, wherever its sign stands', () => {
  assert.equal(quiet('£1,234.56'), '.56');
  assert.equal(quiet('−£0.10'), '.10');
  assert.equal(quiet('1.234,56 €'), ',56');
});

test('an amount without pence is left as it is', () => {
  assert.equal(quiet('£1,234'), undefined);
  assert.equal(quiet('–'), undefined);
});
