import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, failingEnvelope, PortalError, portalErrors } from '../../server/errors.ts';

const codes = Object.keys(portalErrors) as ErrorCode[];

test('every error has a code and a status of failure', () => {
  assert.ok(codes.length > 0);
  for (const code of codes) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
    assert.ok(portalErrors[code] >= 400 && portalErrors[code] < 600, code);
  }
});

test('what is told of an error is its sentence, its code and its number, never its details', () => {
  for (const code of codes) {
    const error = new PortalError(code, { detail: 'select * from secrets', cause: new Error('stack') });
    assert.deepEqual(failingEnvelope(error, 'A sentence.', 'ABCD-2345'), {
      Succeed: false,
      Error: 'A sentence.',
      Resources: { code, reference: 'ABCD-2345' },
    });
  }
});
