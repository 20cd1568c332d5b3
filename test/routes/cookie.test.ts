import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cookieName, readCookie, stageCookieName } from '../../server/routes/replies/cookie.ts';

test('a cookie is found among others, and the first of its name counts', () => {
  const header = `a=1; ${stageCookieName}=stage; ;bare; x${cookieName}=no;${cookieName} = one ; ${cookieName}=two`;
  assert.equal(readCookie(header, cookieName), 'one');
  assert.equal(readCookie(header, stageCookieName), 'stage');
  assert.equal(readCookie(header, 'bare'), undefined);
  assert.equal(readCookie(undefined, cookieName), undefined);
  assert.equal(readCookie(`${cookieName}=`, cookieName), '');
});

test('a value holds what stands behind its first equals sign', () => {
  assert.equal(readCookie(`a=b=${cookieName}=c; ${cookieName}=d=e`, cookieName), 'd=e');
});

test('nothing before or behind a cookie changes what is read', () => {
  const noise = fc
    .array(fc.constantFrom('=', ';', ' ', 'a', '"', '%41'), { maxLength: 8 })
    .map(signs => signs.join(''));
  fc.assert(
    fc.property(noise, noise, (before, behind) =>
      assert.equal(readCookie(`${before}; ${cookieName}=known; ${behind}`, cookieName), 'known'),
    ),
  );
});
