import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAddress } from '../../server/cloud/address.ts';
import { PortalError } from '../../server/errors.ts';
import type { Operation } from '../../shared/language/types.ts';

const base = new URL('https://cloud.test/v1/');
const operation: Operation = {
  service: 'cloud',
  method: 'GET',
  path: '/api/users/{userId}/mail/{address}',
  with: {
    userId: { type: 'string' },
    address: { type: 'string' },
    search: { type: 'string', wire: 'q' },
    page: { type: 'integer' },
  },
};

const refuses = (userId: string): void => {
  assert.throws(
    () => buildAddress(base, operation, { userId, address: 'a' }),
    (error: unknown) => error instanceof PortalError && error.code === 'PARAMETER_INVALID',
    userId,
  );
};

test('each part of a path is percent-encoded by itself, and the query by its upstream names', () => {
  const path = buildAddress(base, operation, { userId: 'a/b', address: 'ann+x@acme.test', search: 'a&b=c', page: 2 });
  assert.equal(path, '/v1/api/users/a%2Fb/mail/ann%2Bx%40acme.test?q=a%26b%3Dc&page=2');
});

test('dot segments, however they are encoded, control characters and empty parts are refused', () => {
  const bad = [
    '',
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '%252e%252e',
    '../admin',
    '..\\admin',
    'a/../b',
    '..%2fadmin',
    '..;/x',
    'a/..',
    '\u0000',
    'a\nb',
    'a%0d%0ab',
    '\ud800',
  ];
  for (const value of bad) refuses(value);
});

test('no parameter can leave the path of its operation, nor its host', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          '.',
          '..',
          '/',
          '\\',
          '%2e',
          '%2E',
          '%2f',
          '%5c',
          ';',
          '?',
          '#',
          '@',
          ':',
          '//',
          'http://evil.test',
          '%00',
          '\t',
          'a',
        ),
        { maxLength: 6 },
      )
      .map(parts => parts.join('')),
  );
  fc.assert(
    fc.property(nasty, nasty, nasty, (userId, address, search) => {
      let path: string;
      try {
        path = buildAddress(base, operation, { userId, address, search });
      } catch (error) {
        return error instanceof PortalError && error.code === 'PARAMETER_INVALID';
      }
      const url = new URL(path, base);
      assert.equal(url.origin, base.origin);
      const parts = url.pathname.split('/');
      assert.deepEqual([parts.length, ...parts.slice(0, 4), parts[5]], [7, '', 'v1', 'api', 'users', 'mail']);
      assert.deepEqual([decodeURIComponent(parts[4] ?? ''), decodeURIComponent(parts[6] ?? '')], [userId, address]);
      assert.equal(url.searchParams.get('q'), search);
      return true;
    }),
    { numRuns: 2000 },
  );
});
