import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPasswordScores } from '../../server/session/password-scores.ts';
import { createRate } from '../../server/session/rate-limit.ts';
import { scorePassword } from '../../shared/rules/password-score.ts';

const codeOf = (error: unknown): string => (error as { code: string }).code;
const open = (t: { after(close: () => Promise<void>): void }, perMinute: number) => {
  const scores = createPasswordScores(createRate(perMinute));
  t.after(scores.close);
  return scores;
};

test('82: passwords are scored in a thread, as the sandbox scores them, twenty at once over all callers', async t => {
  const scores = open(t, 100);
  const passwords = ['', 'aaaa', 'Password1234', 'Harbour-lantern-84', 'p@ssw0rd'.repeat(20)];
  const asked = Array.from({ length: 30 }, (_, index) =>
    scores.score(passwords[index % 5] as string, `caller ${index}`).catch(codeOf),
  );
  const own = await Promise.all(passwords.map(scorePassword));
  assert.deepEqual(await Promise.all(asked), [...own, ...own, ...own, ...own, ...Array(10).fill('BUSY')]);
  // There is room again.
  assert.equal(await scores.score('Harbour-lantern-84', 'another'), 4);
});

test('82: one caller has so many passwords scored in a minute, and costs another none of theirs', async t => {
  const scores = open(t, 3);
  const asked = Array.from({ length: 5 }, () => scores.score('aaaa', 'one').catch(codeOf));
  assert.deepEqual(await Promise.all(asked), [0, 0, 0, 'TOO_MANY', 'TOO_MANY']);
  assert.equal(await scores.score('aaaa', 'another'), 0);
});

test('a score that is waited for when the portal stops is refused', async () => {
  const scores = createPasswordScores(createRate(3));
  const asked = scores.score('aaaa', 'one').catch(codeOf);
  await scores.close();
  assert.equal(await asked, 'BUSY');
});
