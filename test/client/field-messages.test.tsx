import '../dom.ts';
import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { after, test } from 'node:test';
import { act, fireEvent, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { mountLayout } from '../../client/embed.ts';
import { isoDay, readDay } from '../../client/nodes/date-time/moments.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

type Field = Readonly<Record<string, unknown>>;

const own = { invalidMessage: 'customers.nameInvalid' };
const ownText = 'The customer name has invalid characters.';
const days = { kind: 'date', min: '2026-03-01', max: '2026-03-31' };
const expression = { regex: '^[a-z]{2}\\d$' };

/** One field of each rule, and of each whose document says what is invalid in words of its own. */
const rules: Readonly<Record<string, Field>> = {
  Email: { kind: 'email' },
  OwnEmail: { kind: 'email', ...own },
  Phone: { kind: 'phone' },
  OwnPhone: { kind: 'phone', ...own },
  Number: { kind: 'number', min: 2, max: 9 },
  OwnNumber: { kind: 'number', min: 2, max: 9, ...own },
  Count: { kind: 'number', pattern: 'digits', max: 9 },
  Day: days,
  OwnDay: { ...days, ...own },
  From: { kind: 'date', min: '2026-03-01' },
  Until: { kind: 'date', max: '2026-03-31' },
  Expression: expression,
  OwnExpression: { ...expression, ...own },
  OwnEmailLike: { kind: 'email', regex: '@a\\.test$', ...own },
  Digits: { pattern: 'digits', minLength: 2, maxLength: 4, mandatory: true },
  Colour: { pattern: 'hex-colour' },
  Address: { pattern: 'ipv4' },
  Word: { pattern: 'alphanumeric' },
  Words: { pattern: 'alphanumeric-with-spaces' },
  NeededWord: { pattern: 'alphanumeric', mandatory: true },
  NeededExpression: { ...expression, mandatory: true },
  Customer: { pattern: 'customer-id' },
  OwnCustomer: { pattern: 'customer-id', mandatory: true, ...own },
};
const hidden: Readonly<Record<string, Field>> = {
  Id: { kind: 'hidden', mandatory: true },
  Status: { kind: 'hidden', pattern: 'alphanumeric' },
};
/** So that nothing that a test sends is ever right as a whole. */
const never: Readonly<Record<string, Field>> = { Name: { requiredValue: 'never typed' } };

const fields = Object.entries({ ...rules, ...hidden, ...never }).map(([propertyName, rule]) => ({
  type: 'field',
  propertyName,
  kind: 'text',
  label: 'customers.domain',
  ...rule,
}));

const sandbox = withSandbox();
const schemas = withEditedSchemas();
setUp(() => schemas.edit('customers/customer-form.json', text => JSON.stringify({ ...JSON.parse(text), fields })));
const portal = withPortal(sandbox, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');

/** What the server says of values: the messages by field. */
async function refusedBy(body: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const reply = await reseller.press('/customers/add', 'add-customer', 'call:customers.create', { body });
  assert.equal(reply.status, 422, reply.text);
  const { Errors = {} }: Envelope = reply.body;
  return Object.fromEntries(Object.entries(Errors).map(([name, messages]) => [name, messages.join(' ')]));
}

let unmount = () => {};
after(() => act(unmount));

/** What the page sends of a text in a field: a day that it can read as YYYY-MM-DD. */
function sentOf(name: string, text: string): string {
  const format = (day: unknown) => new Date(String(day)).toLocaleDateString('en-GB');
  const read = rules[name]?.['kind'] === 'date' ? readDay(text, { format }) : undefined;
  return read && !read.time ? isoDay(read.day) : text;
}

/** Draws the form as the portal delivers it. */
async function openForm() {
  const { boot, screen } = await reseller.page('/customers/add');
  if (!('layout' in screen) || !screen.layout) throw new Error('The page came without its layout.');
  const { layout } = screen;
  const element = document.createElement('div');
  document.body.append(element);
  await act(async () => {
    unmount = mountLayout(element, { layout, text: boot.words, principal: boot.principal });
  });
  const form = document.querySelector('[data-testid="add-customer-form"]') as HTMLElement;
  const input = (name: string) => form.querySelector(`[name="${name}"]`) as HTMLInputElement;
  // The control of days loads when first met.
  await waitFor(() => assert.ok(input('Day')), { timeout: 30_000 });
  return {
    /** Types the values and sends the form; gives what the page then holds and says of each field. */
    fill(values: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(values)) fireEvent.change(input(name), { target: { value } });
      fireEvent.click(form.querySelector('button[type="submit"]') as HTMLElement);
      const held = Object.keys(values).map(name => [name, sentOf(name, input(name).value)] as const);
      const said = Object.keys(values).flatMap(name => {
        const id = input(name).getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
        const text = id.endsWith('-error') ? document.getElementById(id)?.textContent : undefined;
        return text ? [[name, text]] : [];
      });
      return { held: Object.fromEntries(held), said: Object.fromEntries(said) as Record<string, string> };
    },
  };
}

const samples = [
  ...['', ' ', '7', '-1', '1.5', '12', '12345', '1e3', 'seven', '٣', 'ab1', 'ab 1.-c', 'é', 'a\u0000b', '0'],
  ...['a@b.co', 'a@a.test', "o'neil@x.co.uk", 'a+b@c.de', '01632960123', '+44 1632 960 123', '01632-960-123'],
  ...['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01', '2026-02-31', '31/03/2026'],
  ...['#1a2b3c', '#1A2B3C', '1a2b3c', '#1a2b3', '#1a2b3g', 'mex00001234-00005678', 'mex0001234-00005678'],
  ...['192.0.2.17', '0.0.0.0', '255.255.255.255', '256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 '],
];
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...samples) },
  fc.string({ maxLength: 12 }).map(text => text.replace(/[\r\n]/g, '')),
  fc.stringMatching(/^[0-9a-fA-F#.+@ -]{1,20}$/),
);

test('for every value the browser and the server say the same of a field', async () => {
  const form = await openForm();
  const values = fc.record(Object.fromEntries(Object.keys(rules).map(name => [name, value])));
  let found = 0;
  await fc.assert(
    fc.asyncProperty(values, async typed => {
      const { held, said } = form.fill(typed as Record<string, string>);
      const { Name, Id, ...refused } = await refusedBy(held);
      assert.deepEqual(said, refused);
      found += Object.keys(said).length;
    }),
    { numRuns: 40 },
  );
  assert.ok(found > 100, `${found} messages`);
});

test('a field says in its own words that a value is not of its kind or pattern, and else in those of the rule', async () => {
  const wrong = Object.fromEntries(Object.keys(rules).map(name => [name, 'é?']));
  const { Name, Id, ...said } = await refusedBy(wrong);
  assert.deepEqual(said, {
    Email: 'Must be a valid email address',
    Phone: 'Must be a valid phone number, such as 01632 960 123 or +44 1632 960 123',
    Number: 'Must be a number',
    Count: 'Must contain only digits',
    Day: 'Must be a date',
    From: 'Must be a date',
    Until: 'Must be a date',
    Expression: '- Invalid characters in Domain.',
    Digits: 'Must contain only digits',
    Colour: 'Must be a colour as # and 6 digits, such as #1a2b3c',
    Address: 'Must be an IPv4 address, such as 192.0.2.17',
    Word: '- Invalid characters in Domain.',
    Words: '- Invalid characters in Domain.',
    NeededWord: '- Invalid characters in Domain.',
    NeededExpression: '- Invalid characters in Domain.',
    Customer: 'Must be a customer id, such as mex00001234-00005678',
    ...Object.fromEntries(
      Object.keys(rules)
        .filter(name => name.startsWith('Own'))
        .map(name => [name, ownText]),
    ),
  });
});

test('lengths and bounds say how long, how much or which days, whatever else a field says', async () => {
  const { Name, Id, Digits, OwnCustomer, NeededWord, NeededExpression, ...said } = await refusedBy({
    ...{ Number: 1, OwnNumber: 10, Count: 10, Digits: '12345', OwnEmailLike: 'a@b.test' },
    ...{ Day: '2026-02-28', OwnDay: '2026-04-01', From: '2026-02-28', Until: '2026-04-01' },
  });
  assert.deepEqual(said, {
    Number: 'Must be at least 2',
    OwnNumber: 'Must be at most 9',
    Count: 'Must be at most 9',
    OwnEmailLike: ownText,
    Day: 'Must be from 01/03/2026 to 31/03/2026',
    OwnDay: 'Must be from 01/03/2026 to 31/03/2026',
    From: 'Must be 01/03/2026 or later',
    Until: 'Must be 31/03/2026 or earlier',
  });
  assert.deepEqual([Digits, OwnCustomer], ['Must be a maximum of 4 characters', 'Domain is required']);
});

test('in the form of an operation a value that its pattern needs is called invalid where it is missing', async () => {
  const { NeededWord, NeededExpression, Digits } = await refusedBy({});
  const expected = ['- Invalid Domain.', '- Invalid Domain.', 'Domain is required'];
  assert.deepEqual([NeededWord, NeededExpression, Digits], expected);
});

test('what is wrong with a hidden value is said of it by its name', async () => {
  const label = 'Domain';
  const missing = await refusedBy({ Status: 'a b' });
  assert.deepEqual([missing.Id, missing.Status], [`- Invalid ${label}.`, `- Invalid characters in ${label}.`]);
});

test('an address is an IPv4 address when others read it as one', async () => {
  const part = fc.oneof(fc.integer({ min: 0, max: 300 }).map(String), fc.stringMatching(/^\d{0,4}$/));
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.array(part, { minLength: 3, maxLength: 5 }).map(parts => parts.join('.')),
  );
  let right = 0;
  await fc.assert(
    fc.asyncProperty(address, async Address => {
      if (Address === '') return;
      const { Address: said } = await refusedBy({ Address });
      assert.equal(said === undefined, isIPv4(Address), Address);
      right += said === undefined ? 1 : 0;
    }),
    { numRuns: 60 },
  );
  assert.ok(right > 5, `${right} addresses`);
});
