import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Accounts } from '../../server/cloud/accounts.ts';
import { PortalError } from '../../server/errors.ts';
import { createLog } from '../../server/log.ts';
import { createRights } from '../../server/session/rights.ts';
import type { Entry, Place, Session } from '../../server/session/session-cache.ts';
import type { Store } from '../../server/store/store.ts';
import { inTime } from '../fixtures/wait.ts';

const minute = 60_000;
const start = Date.UTC(2027, 0, 1);

/** Rights that were read at `start`, before a cloud of which `answer` says what becomes of each question. */
function before(answer: () => Promise<never>) {
  let at = start;
  let asked = 0;
  const asking: Pick<Accounts, 'locale' | 'loginUser' | 'permissions' | 'displaySettings'> = {
    locale: 'en',
    loginUser: () => {
      asked += 1;
      return answer();
    },
    permissions: answer,
    displaySettings: answer,
  };
  const accounts = asking as Accounts;
  const store = { announce: async () => undefined } as unknown as Store;
  const rights = createRights({ store, accounts, log: createLog('silent'), now: () => at });
  const entry = { key: 'k', principal: { type: 'reseller' }, principalAt: start, retryAt: 0 } as unknown as Entry;
  const placeOf = (admittedAt: number): Place => ({
    session: { credentials: {} } as unknown as Session,
    admittedAt,
  });
  const place = placeOf(start);
  return {
    /** `from`: a place of which the cloud was not asked yet, in place of the one that it let in at `start`. */
    after: (milliseconds: number, from = place) => {
      at = start + milliseconds;
      return inTime('The rights', rights.keep(entry, from), 10_000);
    },
    isFresh: () => rights.isFresh(entry, place, at),
    asked: () => asked,
    elsewhere: placeOf(0),
  };
}

const silence = () => new Promise<never>(() => undefined);
const codeOf = (error: PortalError): string => error.code;

test('86: rights in their grace are served while the cloud says nothing, and asked for once at a time', async () => {
  const session = before(silence);
  await session.after(2 * minute);
  for (const later of [2, 3, 5, 9]) await session.after(later * minute);
  assert.equal(session.asked(), 1);
});

test('86: a cloud that fails is asked again after a while; what it refuses ends the session, in the grace too', async () => {
  const failing = before(async () => {
    throw new PortalError('UPSTREAM_UNREACHABLE');
  });
  await failing.after(2 * minute);
  await failing.after(2 * minute + 1000);
  assert.equal(failing.asked(), 1);
  await failing.after(2 * minute + 15_000);
  assert.equal(failing.asked(), 2);
  assert.equal(await failing.after(10 * minute).catch(codeOf), 'UPSTREAM_UNREACHABLE');
  const ended = before(async () => {
    throw new PortalError('SESSION_ENDED');
  });
  assert.equal(await ended.after(2 * minute).catch(codeOf), 'SESSION_ENDED');
});

test('whoever comes from another address is asked about at once, and has no grace there', async () => {
  const session = before(async () => {
    throw new PortalError('UPSTREAM_UNREACHABLE');
  });
  await session.after(1000);
  assert.equal(session.asked(), 0);
  assert.equal(await session.after(1000, session.elsewhere).catch(codeOf), 'UPSTREAM_UNREACHABLE');
});

test('87: a clock that was set back makes no rights fresh', async () => {
  const session = before(silence);
  await session.after(-5 * minute);
  assert.deepEqual([session.isFresh(), session.asked()], [false, 1]);
  const late = before(async () => {
    throw new PortalError('UPSTREAM_UNREACHABLE');
  });
  assert.equal(await late.after(-60 * minute).catch(codeOf), 'UPSTREAM_UNREACHABLE');
});
