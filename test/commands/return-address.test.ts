import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Access, Version } from '../../server/layouts/index.ts';
import { readReturn } from '../../server/operations/return-address.ts';

const screens = (...patterns: string[]) =>
  ({ patterns, screens: new Map(patterns.map(pattern => [pattern, {}])) }) as unknown as Access;
const signedIn = screens('/customers', '/customers/customer/{orgId}', '/not-found');
const signedOut = screens('/login', '/sign-in', '/not-found');
const version = {
  patterns: ['/customers', '/customers/customer/{orgId}', '/billing', '/login', '/sign-in', '/end-user', '/not-found'],
} as unknown as Version;
const read = (given: unknown) => readReturn(given, version, signedIn, signedOut);

test('a known local path is kept with its query and without its fragment', () => {
  assert.equal(read('/customers?page=2&search=a%20b'), '/customers?page=2&search=a%20b');
  assert.equal(read('/customers/customer/10001#users'), '/customers/customer/10001');
  assert.equal(read('/billing'), '/billing');
});

test('empty, "/", the end-user base and the sign-in screens count as none', () => {
  for (const given of [
    undefined,
    '',
    '/',
    '/end-user',
    '/end-user/activity',
    '/login',
    '/sign-in?username=a',
    7,
    ['/customers'],
  ])
    assert.equal(read(given), undefined);
});

test('addresses elsewhere are refused, however they are spelt', () => {
  const tricks = [
    '//evil.test/customers',
    '///evil.test/customers',
    '/\\evil.test/customers',
    '\\/customers',
    '/%2fevil.test',
    '/customers%2f..%2f..',
    '/customers%5cx',
    '/\tcustomers',
    '/customers\n',
    ' /customers',
    'https://evil.test/customers',
    'http:customers',
    'javascript:alert(1)',
    '/@evil.test/customers',
    '//user:pass@evil.test/customers',
    '/..//evil.test/customers',
    '/.//evil.test',
    '/unknown',
    '/customers;x',
  ];
  for (const given of tricks) assert.equal(read(given), undefined, JSON.stringify(given));
});

test('whatever is asked for, a return address is local and leads to a known screen', () => {
  const part = fc.constantFrom(
    '/',
    '//',
    '\\',
    '%2f',
    '%5c',
    '\t',
    '\n',
    '@',
    ':',
    'evil.test',
    'customers',
    '..',
    '.',
    '?',
    '#',
    'https:',
    'a',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(part, { maxLength: 8 }).map(parts => parts.join('')),
      ),
      given => {
        const to = read(given) ?? read(`/customers${given}`);
        if (to === undefined) return;
        const url = new URL(to, 'https://portal.test');
        assert.equal(url.origin, 'https://portal.test');
        assert.ok(/^\/(customers|billing|not-found)/.test(url.pathname), to);
        assert.ok(!to.startsWith('//') && !to.includes('\\'));
      },
    ),
    { numRuns: 3000 },
  );
});
