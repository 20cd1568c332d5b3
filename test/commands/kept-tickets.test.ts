import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

// A Tuesday on which support is there.
const sandbox = withSandbox({ now: () => new Date('2027-01-05T10:00:00Z'), tokenSeconds: 900 });
const portal = withPortal(sandbox);
const engineer = withClient(portal, 'engineer@northwind.test');
const reseller = withClient(portal, 'reseller@northwind.test');

type Body = Readonly<Record<string, unknown>>;
const newTicket = { command: 'new-ticket.step', document: 'add-new-ticket', node: 'new-ticket', step: 'ticket' };
const newReply = { command: 'ticket-reply.step', document: 'reply-ticket', node: 'ticket-reply', step: 'reply' };

/** Asks for the first step of a journey without `body`, else sends what is typed in it. */
async function lead(client: typeof engineer, of: typeof newTicket, given: Body, body?: Body, key?: string) {
  const layout = await client.hashOf(of.document);
  return await client.post(
    `/ui/command/${of.command}`,
    { node: of.node, layout, with: given, body: body ? { ...body, $step: of.step } : {} },
    key ? { 'idempotency-key': key } : {},
  );
}
const first = async (client: typeof engineer, of: typeof newTicket, given: Body) => {
  const { text, body } = await lead(client, of, given);
  assert.equal(body.Succeed, true, text);
  return body.Result;
};
const typing = (client: typeof engineer, of: typeof newTicket, given: Body, body: Body) =>
  lead(client, of, given, { ...body, $estimate: true });

test('a ticket that was begun is there again for its author alone, by what it is about, until it is sent', async () => {
  const about = { customer: '10003' };
  await typing(engineer, newTicket, about, { Subject: 'It is slow', Priority: 'High', Description: 'Since Mon' });
  const again = await first(engineer, newTicket, about);
  assert.equal(again.values.Description, 'Since Mon');
  assert.match(JSON.stringify(again.nodes), /What you typed on .+ is here again/);
  assert.notEqual((await first(engineer, newTicket, { customer: '10004' })).values.Description, 'Since Mon');
  assert.notEqual((await first(reseller, newTicket, about)).values.Description, 'Since Mon');

  const whole = { Subject: 'It is slow', Priority: 'High', Product: '', Description: 'Since Monday.' };
  const sent = await lead(engineer, newTicket, about, whole, 'the-press-of-a-kept-ticket');
  assert.equal(sent.body.Succeed, true, sent.text);
  assert.notEqual((await first(engineer, newTicket, about)).values.Description, 'Since Monday.');
});

test('a reply that was begun is there again for its author alone, by ticket, until it is sent; what is refused stays', async () => {
  const ticket = await sandbox.db
    .selectFrom('tickets')
    .select(['id'])
    .where('subject', '=', 'Mail to one domain is delayed')
    .executeTakeFirstOrThrow();
  const given = { ticketId: String(ticket.id), seen: 1 };
  await typing(engineer, newReply, given, { Message: 'It goes on' });
  assert.equal((await first(engineer, newReply, { ...given, seen: 2 })).values.Message, 'It goes on');
  assert.equal((await first(reseller, newReply, given)).values.Message ?? '', '');
  assert.equal((await first(engineer, newReply, { ...given, ticketId: '1' })).values.Message ?? '', '');

  for (const [Message, said] of [
    ['', /required/],
    [' \n ', /required/],
    ['x'.repeat(100_000), /20,?000/],
  ] as const) {
    const refused = await lead(engineer, newReply, given, { Message }, 'the-press-of-a-wrong-reply');
    assert.equal(refused.body.Succeed, false);
    assert.match(JSON.stringify(refused.body.Errors), said, refused.text.slice(0, 500));
  }
  assert.equal((await typing(engineer, newReply, given, { Message: 'x'.repeat(100_000) })).body.Succeed, true);

  const sent = await lead(engineer, newReply, given, { Message: 'It goes on today.' }, 'the-press-of-a-kept-reply');
  assert.equal(sent.body.Succeed, true, sent.text);
  assert.match(JSON.stringify(sent.body.effects), /Your reply is with support/);
  assert.equal((await first(engineer, newReply, given)).values.Message ?? '', '');
});
