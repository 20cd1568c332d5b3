import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { dayAt } from '../../server/sandbox/days.ts';
import { mostMessages } from '../../server/sandbox/support/change.ts';
import { answerSeededTickets } from '../../server/sandbox/support/day.ts';
import { longestMessage } from '../../server/sandbox/support/routes.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const day = 86_400_000;
let now = Date.UTC(2027, 0, 4, 12);
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 90 * 86_400 });
let reseller: string;
let engineer: string;
let rival: string;
/** An administrator of the customer Zephyr Cycles, with the view of support alone, and another with all tickets of it. */
let buyer: string;
let owner: string;
const zephyr = 'buyer@zephyrcycles.test';
const second = 'owner@zephyrcycles.test';

setUp(async () => {
  const { db } = sandbox;
  await sql`
    with made as (
      insert into accounts (username, email, display_name, user_type, password_hash, reseller_id, customer_id)
      select ${second}, ${second}, 'Olga Owner', user_type, password_hash, reseller_id, customer_id
      from accounts where username = ${zephyr} returning id)
    insert into account_permissions (account_id, views, permissions)
    select id, '{customers,support}', '{submitAndRespondToAllTickets}' from made`.execute(db);
  await sql`update account_permissions set views = views || '{support}'
    where account_id = (select id from accounts where username = ${zephyr})`.execute(db);
  reseller = await sandbox.signIn('reseller@northwind.test');
  engineer = await sandbox.signIn('engineer@northwind.test');
  rival = await sandbox.signIn('rival@southridge.test');
  [buyer, owner] = [await sandbox.signIn(zephyr), await sandbox.signIn(second)];
});

const ask = (token: string, path: string) => sandbox.call(token, 'GET', `/api/support/${path}`);
const send = (token: string, path: string, body?: object, headers?: Record<string, string>) =>
  sandbox.call(token, 'POST', `/api/support/${path}`, body, headers);
const open = async (token: string, given: object = {}): Promise<string> => {
  const body = { Subject: 'It is slow', Description: 'Since\nMonday.', Priority: 'Normal', ...given };
  const reply = await send(token, 'SubmitTicket', body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.Result.TicketId;
};
const reply = (token: string, TicketId: string, Message: string, more: object = {}) =>
  send(token, 'UpdateSupportTicketByReseller', { TicketId, Message, ...more });
const read = async (token: string, id: string) => (await ask(token, `GetDetailTicket/${id}`)).body.Result;
const thread = async (token: string, id: string): Promise<[string, string, string][]> =>
  (await ask(token, `GetDetailHistorySupportTicket/${id}`)).body.Result.map(
    ({ Author, Kind, Content }: Record<string, string>) => [Author, Kind, Content],
  );
const desk = (id: string, verb: string, content = '', origin = sandbox.url) =>
  fetch(`${sandbox.url}/tickets/${id}/${verb}`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ content }),
  });
const mailsTo = async (recipient: string) =>
  await sandbox.db
    .selectFrom('outbox')
    .select(['subject', 'body'])
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute();
const codeOf = (answer: { body: { Refusals?: { Code: string }[] } }) => answer.body.Refusals?.[0]?.Code;

test('a ticket goes to support and back, and its author is told by notification and mail', async () => {
  const id = await open(engineer, { OrganisationId: '10001', Product: 'Hosted Exchange', Priority: 'High' });
  assert.match(await (await fetch(`${sandbox.url}/tickets`)).text(), new RegExp(`${id}: It is slow`));
  assert.equal((await desk(id, 'ask', 'Since when?')).status, 200);
  const { Status, CustomerName, Priority, MayReopen } = await read(engineer, id);
  assert.deepEqual([Status, CustomerName, Priority, MayReopen], ['Waiting', 'Contoso', 'High', false]);
  assert.deepEqual((await reply(engineer, id, ' Monday. ')).body.Result, {
    Status: 'Open',
    Crossed: 0,
    CrossedBy: null,
  });
  await desk(id, 'answer', 'It is quick again.');
  assert.deepEqual(await thread(engineer, id), [
    ['Support', 'Answer', 'It is quick again.'],
    ['Ewan Fraser', 'Reply', 'Monday.'],
    ['Support', 'Question', 'Since when?'],
    ['Ewan Fraser', 'Opened', 'Since\nMonday.'],
  ]);
  const mails = await mailsTo('engineer@northwind.test');
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    [`Ticket ${id}: It is slow`, `Ticket ${id}: It is slow`],
  );
  assert.match(mails[1]!.body, new RegExp(`It is quick again\\.[^]*/support/ticket-detail/${id}`));
  const all = (await sandbox.call(engineer, 'GET', '/api/notifications')).body.Result;
  const told = all.filter(({ TicketId }: { TicketId: string }) => TicketId === id);
  assert.deepEqual(told.map(({ Message, Category }: Record<string, string>) => [Message, Category]).sort(), [
    ['Support asks you something', 'warning'],
    ['Support has answered', 'success'],
  ]);
});

test('a ticket from a page of a customer is about that customer, as far as its author sees the customer', async () => {
  const screen = '/customers/customer/10001/services/7?tab=usage';
  const about = async (token: string, Screen: string) => {
    const path = `ticket-context?kind=Page&screen=${encodeURIComponent(Screen)}`;
    const { OrganisationId, CustomerName } = (await ask(token, path)).body.Result;
    return [OrganisationId, CustomerName];
  };
  assert.deepEqual(await about(engineer, screen), ['10001', 'Contoso']);
  assert.deepEqual(await about(engineer, '/customers/customer/10001+55/view'), ['10001', 'Contoso']);
  for (const [token, other] of [
    [rival, screen],
    [engineer, '/customers/customer/999999'],
    [engineer, '/customers/customer/10001x'],
    [engineer, '/billing?from=/customers/customer/10001'],
  ] as const)
    assert.deepEqual(await about(token, other), [null, null], other);
  const id = await open(engineer, { Kind: 'Page', Screen: screen, Reference: 'R-17' });
  const { CustomerName, Screen, Reference } = await read(engineer, id);
  assert.deepEqual([CustomerName, Screen, Reference], ['Contoso', screen, 'R-17']);
});

test('a closed ticket is reopened by a reply for 14 days, and not after', async () => {
  const id = await open(reseller);
  assert.equal((await send(reseller, `CloseTicketByReseller/${id}`)).status, 200);
  assert.equal(codeOf(await send(reseller, `CloseTicketByReseller/${id}`)), 'TicketEnded');
  assert.equal((await read(reseller, id)).MayReopen, true);
  now += 13 * day;
  assert.equal((await reply(reseller, id, 'It is back.')).body.Result.Status, 'Open');
  assert.equal((await thread(reseller, id))[0]![1], 'Reopened');
  await desk(id, 'close');
  now += 14 * day;
  assert.equal((await read(reseller, id)).MayReopen, false);
  assert.equal(codeOf(await reply(reseller, id, 'Again.')), 'TicketClosed');
  assert.equal((await desk(id, 'answer', 'Too late')).status, 409);
});

test('of two who answer a closed ticket at once both are kept, and the second is told', async () => {
  const id = await open(engineer);
  await send(engineer, `CloseTicketByReseller/${id}`);
  const { Messages: Seen } = await read(engineer, id);
  const first = await reply(engineer, id, 'One', { Seen });
  const other = await reply(reseller, id, 'Two', { Seen });
  assert.deepEqual(
    [first, other].map(({ body }) => [body.Result.Crossed, body.Result.CrossedBy]),
    [
      [0, null],
      [1, 'Ewan Fraser'],
    ],
  );
  assert.deepEqual(
    (await thread(engineer, id)).slice(0, 2).map(([, kind, content]) => [kind, content]),
    [
      ['Reply', 'Two'],
      ['Reopened', 'One'],
    ],
  );
});

test('the permission opens the tickets of the organisation; without it one sees one’s own; others’ are not there', async () => {
  const mine = await open(buyer, { Subject: 'Of the buyer' });
  const theirs = await open(owner, { Subject: 'Of the owner' });
  const ours = await open(reseller, {
    Subject: 'Of the reseller',
    OrganisationId: (await read(reseller, mine)).OrganisationId,
  });
  const seen = async (token: string) => {
    const states = await Promise.all([mine, theirs, ours].map(id => ask(token, `GetDetailTicket/${id}`)));
    return states.map(({ status }) => status);
  };
  assert.deepEqual(await seen(buyer), [200, 404, 404]);
  assert.deepEqual(await seen(owner), [200, 200, 404]);
  assert.deepEqual(await seen(reseller), [200, 200, 200]);
  assert.deepEqual(await seen(rival), [404, 404, 404]);
  const absent = (await ask(rival, 'GetDetailTicket/99999')).body;
  assert.deepEqual((await ask(rival, `GetDetailTicket/${mine}`)).body, absent);
  for (const refused of [await reply(rival, mine, 'x'), await send(buyer, `CloseTicketByReseller/${theirs}`)])
    assert.deepEqual([refused.status, refused.body], [404, absent]);
  assert.equal((await ask(rival, `GetDetailHistorySupportTicket/${mine}`)).status, 404);
  const list = (await ask(buyer, 'SelectSupportAllRecordsByReseller')).body.Result;
  assert.deepEqual([list.Total, list.Counts.All, list.Items[0].Subject], [1, 1, 'Of the buyer']);
  // Neither may a customer's people write about another organisation.
  const strayed = await open(buyer, { OrganisationId: '10001' });
  assert.equal((await read(buyer, strayed)).CustomerName, 'Zephyr Cycles');
});

test('who neither reads customers nor answers all tickets is told the name of none', async () => {
  const namesFor = async (permissions: string) => {
    await sql`update account_permissions set views = '{support}', permissions = ${permissions}::text[]
      where account_id = (select id from accounts where username = 'bookkeeper@northwind.test')`.execute(sandbox.db);
    return (await ask(await sandbox.signIn('bookkeeper@northwind.test'), 'GetOrgsSupport')).body.Result.Total;
  };
  assert.equal(await namesFor('{}'), 0);
  assert.equal(await namesFor('{submitAndRespondToAllTickets}'), 40);
});

test('an account writes so many messages in 24 hours', async () => {
  const id = await open(rival);
  await sql`insert into ticket_messages (ticket_id, at, account_id, author, kind)
    select ticket_id, at, account_id, author, 'Reply' from ticket_messages, generate_series(2, ${mostMessages})
    where ticket_id = ${id}`.execute(sandbox.db);
  const refused = await reply(rival, id, 'One more');
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'TicketMessagesOften']);
  now += day;
  assert.equal((await reply(rival, id, 'One more')).status, 200);
});

test('an engineer who sees certain customers sees the tickets of these, and own ones about none', async () => {
  const name = 'codes@northwind.test';
  await limitAccount(sandbox.db, name, [10001]);
  const limited = await sandbox.signIn(name);
  const [of1, of2, own, none] = [
    await open(reseller, { OrganisationId: '10001' }),
    await open(reseller, { OrganisationId: '10002' }),
    await open(limited),
    await open(reseller),
  ];
  const states = await Promise.all([of1, of2, own, none].map(id => ask(limited, `GetDetailTicket/${id}`)));
  assert.deepEqual(
    states.map(({ status }) => status),
    [200, 404, 200, 404],
  );
  assert.equal(
    (await send(limited, 'SubmitTicket', { Subject: 'x', Description: 'y', Priority: 'Low', OrganisationId: '10002' }))
      .status,
    404,
  );
  const { Items } = (await ask(limited, 'GetOrgsSupport')).body.Result;
  assert.deepEqual(
    Items.map(({ Name }: { Name: string }) => Name),
    ['Contoso'],
  );
});

test('lists find by words, state, priority and customer, and count', async () => {
  const id = await open(rival, { Subject: 'Zzyzx is grey', Priority: 'Urgent' });
  await open(rival, { Subject: 'Zzyzx is green' });
  const list = async (query: string, name = 'All') =>
    (await ask(rival, `SelectSupport${name}RecordsByReseller?${query}`)).body.Result;
  assert.deepEqual((await list('search=zzyzx')).Counts, { All: 2, Open: 2, Waiting: 0, Answered: 0, Closed: 0 });
  assert.deepEqual(
    (await list('search=zzyzx&priority=Urgent')).Items.map(({ TicketId }: { TicketId: string }) => TicketId),
    [id],
  );
  await send(rival, `CloseTicketByReseller/${id}`);
  assert.equal((await list('search=zzyzx&status=Closed')).Total, 1);
  assert.equal((await list('search=zzyzx', 'Active')).Total, 1);
  const { Total, Customer } = await list('search=zzyzx&customerId=10001');
  assert.deepEqual([Total, Customer], [0, null], 'another reseller’s customer has no name');
  assert.equal((await list('search=z')).Total, 2);
  const csv = await fetch(`${sandbox.url}/api/support/SelectSupportAllRecordsByReseller/csv?search=grey`, {
    headers: { authorization: `Bearer ${rival}`, 'actor-id': 'rival@southridge.test' },
  });
  assert.match(await csv.text(), new RegExp(`${id},Zzyzx is grey,Closed,Urgent`));
});

test('a ticket of a customer is found by the name that the customer has now', async () => {
  const id = await open(reseller, { OrganisationId: '10007' });
  const list = (await ask(reseller, 'SelectSupportAllRecordsByReseller?customerId=10007')).body.Result;
  assert.equal(list.Customer, list.Items[0].CustomerName);
  const found = async (words: string) =>
    (await ask(reseller, `SelectSupportAllRecordsByReseller?search=${words}`)).body.Result.Items.map(
      ({ TicketId, CustomerName }: Record<string, string>) => [TicketId, CustomerName],
    );
  await sql`update customers set name = 'Quorndon Mills' where organisation_id = 10007`.execute(sandbox.db);
  assert.deepEqual(await found('quorndon'), [[id, 'Quorndon Mills']]);
  await sql`update customers set name = 'Rowsley Mills' where organisation_id = 10007`.execute(sandbox.db);
  assert.deepEqual(await found('quorndon'), []);
  assert.deepEqual(await found('rowsley+mills'), [[id, 'Rowsley Mills']]);
});

test('a ticket from a failed service or an order carries what the cloud knows of it; of another it says nothing', async () => {
  const { db } = sandbox;
  const failed = await db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .select(['i.id', 'i.reason', 'c.organisation_id'])
    .where('i.status', '=', 'ActivationFailed')
    .where('i.reseller_id', '=', 1001)
    .orderBy('i.id')
    .executeTakeFirstOrThrow();
  const id = await open(engineer, { Kind: 'Service', Of: String(failed.id) });
  const { Screen, Failure, OrganisationId } = await read(engineer, id);
  assert.deepEqual(
    [Screen, Failure, OrganisationId],
    [
      `/customers/customer/${failed.organisation_id}/services/${failed.id}`,
      failed.reason,
      String(failed.organisation_id),
    ],
  );
  assert.match(await (await fetch(`${sandbox.url}/tickets`)).text(), new RegExp(`href="[^"]*${Screen}"`));
  assert.equal((await ask(rival, `ticket-context?kind=Service&of=${failed.id}`)).status, 404);
  const page = await open(engineer, { Kind: 'Page', Screen: '/billing/FH-100', Reference: 'FH-100' });
  assert.equal((await read(engineer, page)).Reference, 'FH-100');
  for (const Screen of ['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:alert(1)'])
    assert.equal(
      (await send(engineer, 'SubmitTicket', { Subject: 'x', Description: 'y', Priority: 'Low', Kind: 'Page', Screen }))
        .status,
      400,
      Screen,
    );
});

test('a ticket from a line of an invoice names customer, service and invoice, for who sees billing', async () => {
  const { rows } = await sql<{
    id: string;
    organisation_id: string;
    customer: string;
    service: string;
    number: number;
  }>`
    select l.id::text as id, l.organisation_id::text as organisation_id, l.customer, l.service, i.number
    from invoice_lines l join invoices i on i.id = l.invoice_id join customers c on c.id = l.customer_id
    where i.reseller_id = 1001 and i.kind = 'Invoice' order by l.id limit 1`.execute(sandbox.db);
  const line = rows[0]!;
  const id = await open(reseller, { Kind: 'Line', Of: line.id });
  const { CustomerName, OrganisationId, Product, Reference, Screen } = await read(reseller, id);
  const invoice = `FH-${line.number}`;
  assert.deepEqual(
    [CustomerName, OrganisationId, Product, Reference, Screen],
    [
      ...[line.customer, line.organisation_id, line.service, invoice],
      `/billing/invoices/invoice-detail/${invoice}/lines/${line.id}`,
    ],
  );
  for (const other of [rival, owner])
    assert.equal((await ask(other, `ticket-context?kind=Line&of=${line.id}`)).status, 404);
});

test('what cannot be a ticket or a reply is refused, by field', async () => {
  const id = await open(reseller);
  for (const [message, said] of [
    ['', 'Message is required'],
    [' \n ', 'Message is required'],
    ['x'.repeat(100_000), `Must be a maximum of ${longestMessage} character(s)`],
  ] as const)
    assert.deepEqual((await reply(reseller, id, message)).body.Errors, { Message: [said] });
  const markup = '<script>alert(1)</script>';
  await reply(reseller, id, markup);
  assert.equal((await thread(reseller, id))[0]![2], markup);
  assert.doesNotMatch(await (await fetch(`${sandbox.url}/tickets`)).text(), /<script>/);
  assert.equal((await desk(id, 'answer', '')).status, 400);
  assert.equal((await desk(id, 'answer', 'x', 'http://evil.test')).status, 404);
});

test('one press opens one ticket', async () => {
  const body = { Subject: 'Once', Description: 'x', Priority: 'Low' };
  const key = { 'idempotency-key': 'one-press' };
  const [first, again] = [
    await send(reseller, 'SubmitTicket', body, key),
    await send(reseller, 'SubmitTicket', body, key),
  ];
  assert.equal(first.body.Result.TicketId, again.body.Result.TicketId);
});

test('out of hours a ticket takes a number to call, and proposes it the next time', async () => {
  const week = now;
  now = Date.parse('2027-03-26T12:00Z');
  assert.deepEqual((await ask(reseller, 'IsOutOfHours')).body.Result.NextOpening, '2027-03-30T07:00:00.000Z');
  const before = (await ask(reseller, 'GetDefaultOutOfHoursDetails')).body.Result;
  assert.deepEqual([before.Name, before.Email, before.Phone], ['Priya Raman', 'reseller@northwind.test', '']);
  const body = { Subject: 'Down', Description: 'All of it', Priority: 'Urgent' };
  assert.equal((await send(reseller, 'SubmitOutOfHoursTicket', body)).status, 400);
  assert.equal((await send(reseller, 'SubmitOutOfHoursTicket', { ...body, Phone: '01134960123' })).status, 201);
  assert.equal((await ask(reseller, 'GetDefaultOutOfHoursDetails')).body.Result.Phone, '01134960123');
  now = week;
});

test('a workday answers the seeded tickets that wait, and a weekend does not', async () => {
  const waiting = async () =>
    (
      await sandbox.db
        .selectFrom('tickets')
        .select('id')
        .where('is_simulated', '=', true)
        .where('status', '=', 'Open')
        .execute()
    ).length;
  const moment = new Date('2029-01-06T00:00Z');
  const before = await waiting();
  assert.ok(before > 0);
  await sandbox.db.transaction().execute(trx => answerSeededTickets(trx, dayAt(moment)));
  assert.equal(await waiting(), before);
  await sandbox.db.transaction().execute(trx => answerSeededTickets(trx, dayAt(new Date(moment.getTime() + 2 * day))));
  assert.equal(await waiting(), 0);
});
