import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, failingEnvelope, PortalError, portalErrors } from '../../server/errors.ts';

test('every error has a code, a status of failure and a sentence for people', () => {
  for (const [code, { status, message }] of Object.entries(portalErrors)) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
    assert.ok(status >= 400 && status < 600, code);
    assert.match(message, /^[A-Z].*\.$/, code);
  }
});

test('what is told of an error is its sentence, its code and its number, never its details', () => {
  for (const code of Object.keys(portalErrors) as ErrorCode[]) {
    const error = new PortalError(code, { detail: 'select * from secrets', cause: new Error('stack') });
    assert.deepEqual(failingEnvelope(error, 'ABCD-2345'), {
      Succeed: false,
      Error: portalErrors[code].message,
      Resources: { code, reference: 'ABCD-2345' },
    });
  }
});
