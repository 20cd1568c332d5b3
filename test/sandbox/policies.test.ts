import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Row = Record<string, any>;

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
async function read(path: string): Promise<{ status: number; body: any }> {
  const reply = await fetch(sandbox.url + path);
  return { status: reply.status, body: await reply.json() };
}

test('every policy of the footer is there for everyone, in sections of the five types', async () => {
  const { body } = await read('/api/footer/buttons');
  assert.equal(body.Result.length, 12);
  const types = new Set<number>();
  for (const { Id, Text } of notEmpty<Row>(body.Result)) {
    const { Succeed, Result } = (await read(`/api/footer/policies/${Id}`)).body;
    assert.deepEqual([Succeed, Result.Title], [true, Text]);
    assert.equal(Result.Sections[0].Type, 2);
    for (const { Type, AnchorValue, AnchorText } of notEmpty<Row>(Result.Sections)) {
      types.add(Type);
      assert.equal(Type === 2, AnchorValue !== '' && AnchorText !== '');
    }
    const anchors = Result.Sections.map((section: { AnchorValue: string }) => section.AnchorValue).filter(Boolean);
    assert.equal(new Set(anchors).size, anchors.length, Id);
  }
  assert.deepEqual([...types].sort(), [1, 2, 3, 4, 5]);
});

test('a policy that does not exist is not found, whatever its name', async () => {
  for (const id of ['nothing', '__proto__', '%27', 'privacy%00', '😀', 'x'.repeat(500)])
    assert.ok([400, 404, 414].includes((await read(`/api/footer/policies/${encodeURIComponent(id)}`)).status), id);
});

test('opt-outs are the caller’s own, are kept whole and take nothing else', async () => {
  const [una, ada] = [await sandbox.signIn('user@contoso.test'), await sandbox.signIn('admin@contoso.test')];
  const path = '/api/footer/opt-outs';
  const none = { Newsletter: false, Offers: false, Surveys: false, UsageFigures: false };
  assert.equal((await sandbox.call('', 'GET', path)).status, 401);
  assert.deepEqual((await sandbox.call(una, 'GET', path)).body.Result, none);
  for (const chosen of [
    { ...none, Offers: true },
    { ...none, Surveys: true, Newsletter: true },
  ]) {
    assert.equal((await sandbox.call(una, 'PUT', path, chosen)).status, 200);
    assert.deepEqual((await sandbox.call(una, 'GET', path)).body.Result, chosen);
  }
  assert.deepEqual((await sandbox.call(ada, 'GET', path)).body.Result, none);
  for (const wrong of [{}, { ...none, Offers: 'yes' }, { ...none, More: true }])
    assert.equal((await sandbox.call(una, 'PUT', path, wrong)).status, 400);
});
