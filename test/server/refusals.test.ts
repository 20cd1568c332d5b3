import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretReply } from '../../server/cloud/outcome.ts';
import { wordRefusalFor } from '../../server/operations/word-refusal.ts';
import { refusals } from '../../server/refusals.ts';
import { refusalData } from '../../server/sandbox/http/refusals.ts';

/** Words a refusal for a caller; a text is given as its name and values. */
const word = (code: string, data: Readonly<Record<string, unknown>> = {}, prices = true): string =>
  wordRefusalFor({
    access: { serverText: (name: string, values = {}) => [name, ...Object.values(values)].join(' ') },
    principal: { prices, facts: { locale: 'en-GB', currency: 'GBP' } },
  } as never)(code, data);

const unknown = 'refusal.unknown';

test('the portal has words for every code by which the sandbox refuses, and each value in them is among its data', () => {
  assert.deepEqual(Object.keys(refusals).sort(), Object.keys(refusalData).sort());
  for (const [code, words] of Object.entries(refusals)) {
    const given: readonly string[] = refusalData[code as keyof typeof refusalData];
    assert.deepEqual(
      Object.keys(words).filter(name => !given.includes(name)),
      [],
      code,
    );
  }
});

test('an amount in a refusal is written as on screens, in the currency beside it or else the caller’s', () => {
  assert.equal(word('AmountAboveOwed', { Owed: '1234.5', Currency: 'EUR' }), 'refusal.AmountAboveOwed €1,234.50');
  assert.equal(word('AmountAboveOwed', { Owed: 12 }), 'refusal.AmountAboveOwed £12.00');
  assert.equal(word('InvoiceCurrency', { Currency: 'EUR' }), 'refusal.InvoiceCurrency EUR');
});

test('who sees no prices is told no amount of a refusal', () => {
  assert.equal(word('AmountAboveOwed', { Owed: '12.00', Currency: 'GBP' }, false), unknown);
  assert.equal(word('InvoicePaid', {}, false), 'refusal.InvoicePaid');
});

test('a code without words, and data that are missing or malformed, have general words', () => {
  for (const code of ['Unheard', '', 'constructor', '__proto__', 'toString']) assert.equal(word(code), unknown, code);
  for (const data of [{}, { Owed: 'much' }, { Owed: null }, { Owed: '1', Currency: 'pounds' }, { Owed: ['1'] }])
    assert.equal(word('AmountAboveOwed', data), unknown, JSON.stringify(data));
  assert.equal(word('InvoiceCurrency', { Currency: 5 }), unknown);
});

test('a refusal by a code is told at its field and as a message; what is none of its form is left out', async () => {
  const Refusals = [
    { Field: 'Amount', Code: 'A', Data: {} },
    { Field: 'Amount', Code: 'B' },
    { Field: 'constructor', Code: 'C', Data: 'none' },
    { Code: 'D' },
    { Field: 'Other', Code: 'A' },
    ...[{ Field: 'Amount' }, { Code: 5 }, 'Sentence', null],
  ];
  const Article = { Path: 'payments/pay-an-invoice', Title: 'Pay an invoice' };
  const text = JSON.stringify({ Succeed: false, Error: 'Invalid', Messages: ['Not now.'], Refusals, Article });
  const reply = { status: 400, contentType: 'application/json', text };
  const request = { operation: { method: 'POST' }, wordRefusal: (code: string) => `words of ${code}` };
  assert.deepEqual(await interpretReply(reply as never, request as never), {
    status: 422,
    envelope: {
      ...{ Succeed: false, Error: 'Invalid' },
      Errors: { Amount: ['words of A', 'words of B'], constructor: ['words of C'], Other: ['words of A'] },
      Messages: ['words of A', 'words of B', 'words of C', 'words of D', 'Not now.'],
      Resources: { article: { title: 'Pay an invoice', to: '/knowledge-base/article/payments/pay-an-invoice' } },
    },
  });
});

test('an article of a refusal is a page of the knowledge base, and nothing else', async () => {
  for (const Path of ['//evil.test', 'a/../b', 'a/b?c', 'a/b/c', 'A/b', '', 5]) {
    const text = JSON.stringify({ Succeed: false, Messages: ['No.'], Article: { Path, Title: 'T' } });
    const reply = { status: 409, contentType: 'application/json', text };
    const { envelope } = await interpretReply(reply as never, { operation: { method: 'POST' } } as never);
    assert.equal(envelope.Resources, undefined, String(Path));
  }
});
