import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoPassword } from '../../server/sandbox-process.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

type Body = Readonly<Record<string, unknown>>;
const step = (body: Body, who = reseller, mailbox = 'user@contoso.test', customer = '10001') =>
  who.press('disaster-recovery', 'recovery', 'command:recovery.step', { with: { customer, mailbox }, body });
/** The hour that has begun, so many days ago. */
const hourOf = (days: number) => `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 13)}:00:00Z`;
const typed = () => ({ StartDate: hourOf(4), EndDate: hourOf(2), Deliver: 'mail.contoso.test' });
const recoveries = () => sandbox.db.selectFrom('mail_recoveries').selectAll().execute();

test('the first step asks for moments within those that the cloud gives, and proposes where to deliver', async () => {
  const { body, text } = await step({});
  const { step: at, nodes, values } = body.Result ?? assert.fail(text);
  assert.equal(at, 'dates');
  assert.equal(values.Deliver, 'mail.contoso.test');
  const first = `${hourOf(14).slice(0, 10)}T00:00:00.000Z`;
  for (const { kind, min, max, mandatory } of notEmpty<Body>(nodes).slice(0, 2)) {
    assert.deepEqual([kind, min, mandatory], ['date-time', first, true]);
    assert.ok(Math.abs(Date.parse(String(max)) - Date.now()) < 600_000, String(max));
  }
  const wrong = async (more: Body) =>
    Object.keys((await step({ ...typed(), ...more, $step: 'dates' })).body.Errors ?? {});
  assert.deepEqual(await wrong({ StartDate: hourOf(15) }), ['StartDate']);
  assert.deepEqual(await wrong({ EndDate: hourOf(-1) }), ['EndDate']);
  for (const no of ['2026-02-31T10:00:00Z', hourOf(4).slice(0, 10), hourOf(4).replace(':00:00', ':07:00')])
    assert.deepEqual(await wrong({ StartDate: no }), ['StartDate'], no);
  assert.deepEqual(await wrong({ StartDate: '', Deliver: '' }), ['StartDate', 'Deliver']);
  assert.deepEqual(await wrong({ Address: 'admin@contoso.test' }), ['Address'], 'the mailbox is the page’s');
});

test('the summary has the moments of EpFrom and EpTo, and the step is not passed when the cloud refuses', async () => {
  const { body } = await step({ ...typed(), $step: 'dates' });
  assert.equal(body.Result.step, 'confirm');
  const { EpFrom: From, EpTo: To, EmailCount } = body.Result.data.recovery.Result;
  assert.deepEqual(
    [From, To],
    [typed().StartDate, typed().EndDate].map(moment => new Date(moment).toISOString()),
  );
  assert.ok(EmailCount > 5);
  const back = await step({ ...typed(), StartDate: hourOf(2), EndDate: hourOf(4), $step: 'dates' });
  assert.deepEqual(
    [back.body.Succeed, back.body.Errors],
    [false, { EndDate: ['Must not be before the start'] }],
    back.text,
  );
});

test('a wrong password starts nothing, is told as the cloud’s Error, and the right one starts it', async () => {
  const wrong = await step({ ...typed(), Password: 'not this', $step: 'confirm' });
  assert.deepEqual([wrong.body.Succeed, wrong.body.Error], [false, 'The password is wrong.']);
  assert.deepEqual(Object.keys(wrong.body.Errors ?? {}), ['Password']);
  assert.deepEqual(await recoveries(), []);
  const right = await step({ ...typed(), Password: demoPassword, $step: 'confirm' });
  assert.equal(right.body.Result?.step, 'done', right.text);
  assert.equal((await recoveries()).length, 1);
  const again = await step({ ...typed(), Password: demoPassword, $step: 'confirm' });
  assert.equal(again.body.Error, 'Mail of this mailbox is being recovered already.');
  const [closing] = (await step({ $step: 'done' })).body.effects ?? [];
  assert.equal(closing?.do, 'close-popup');
});

test('guesses of the password are counted with those of signing in, and the audit holds none of them', async () => {
  const admin = await portal.signIn('admin@contoso.test');
  const guess = (Password: string) => step({ ...typed(), Password, $step: 'confirm' }, admin, 'admin@contoso.test');
  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => guess(`guess number ${index}`)));
  const codes = replies.map(({ body }) => body.Resources?.code ?? body.Error);
  assert.equal(codes.filter(code => code === 'The password is wrong.').length, 10, JSON.stringify(codes));
  assert.equal(codes.filter(code => code === 'TOO_MANY_PROOFS').length, 2);
  await assert.rejects(portal.signIn('admin@contoso.test'), 'signing in is locked too');
  const rows = await portal.store.run(db => db.selectFrom('audit').selectAll().execute());
  const told = JSON.stringify(rows);
  assert.ok(told.includes('mailbox.recovery'));
  assert.ok(!told.includes('guess number') && !told.includes(demoPassword));
});

test('who may not recover mail has neither the popup nor the calls', async () => {
  for (const name of ['engineer@northwind.test', 'user@contoso.test']) {
    const client = await portal.signIn(name);
    await assert.rejects(client.hashOf('disaster-recovery'));
    const layout = await reseller.hashOf('disaster-recovery');
    const { status } = await client.post('/ui/command/recovery.step', {
      layout,
      node: 'recovery',
      with: { customer: '10001', mailbox: 'user@contoso.test' },
      body: {},
    });
    assert.equal(status, 403, name);
  }
});

test('what the cloud cannot answer is told by the wizard’s own word', async () => {
  await sandbox.app.close();
  const { status, body } = await step({ ...typed(), $step: 'dates' });
  assert.equal(status, 502);
  assert.match(body.Messages?.[0] ?? '', /^Something went wrong on the way\./);
});
