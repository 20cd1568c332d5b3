import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { createThread } from '../../server/thread.ts';
import { eventually } from '../fixtures/eventually.ts';

const program = `
const held = [];
const work = input => {
  if (input === 'fail') throw new Error('no such work');
  if (input === 'end') process.exit(1);
  if (input === 'where') return require('node:worker_threads').threadId;
  if (input === 'priority') return require('node:os').getPriority();
  if (input === 'hold') return new Promise(resolve => held.push(resolve));
  if (input === 'release') for (const resolve of held.splice(0)) resolve('released');
  return data + input;
};`;

function open(most = 10) {
  return createThread({ name: 'sums', program, data: 1, most });
}

test('82: work is done in another thread, and what it throws is thrown', async t => {
  const thread = open();
  t.after(thread.close);
  assert.equal(await thread.run(2), 3);
  assert.notEqual(await thread.run('where'), 0);
  await assert.rejects(thread.run('fail'), /^Error: sums: Error: no such work/);
  assert.equal(await thread.run(3), 4);
});

test('82: on Linux its work comes after that of the process, whose own priority stays', async t => {
  const thread = open();
  t.after(thread.close);
  const own = getPriority();
  assert.equal(await thread.run('priority'), process.platform === 'linux' ? Math.max(10, own) : own);
  assert.equal(getPriority(), own);
});

test('82: one more piece of work than may wait is refused, and done once there is room', async t => {
  const thread = open(2);
  t.after(thread.close);
  const held = [thread.run('hold'), thread.run('release')];
  await assert.rejects(thread.run(2), { code: 'BUSY' });
  assert.deepEqual(await Promise.all(held), ['released', '1release']);
  assert.equal(await thread.run(2), 3);
});

test('a thread that ends fails what waits, and the next work starts another', async t => {
  const thread = open();
  t.after(thread.close);
  await assert.rejects(thread.run('end'));
  await eventually(async () => (await thread.run(2).catch(() => undefined)) === 3);
});

test('what waits when the portal stops is refused', async () => {
  const thread = open();
  const waiting = thread.run('hold');
  await thread.run(2);
  await Promise.all([thread.close(), assert.rejects(waiting, { code: 'BUSY' })]);
});
