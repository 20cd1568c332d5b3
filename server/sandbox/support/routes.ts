import { sql } from 'kysely';
import { anyOf, readsCustomers, readsServices } from '../auth/needs.ts';
import { findCustomers } from '../customers/list.ts';
import { isVisibleTo } from '../customers/scope.ts';
import { refuseConflict } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  partial,
  phone,
  search,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import { closeTicket, replyToTicket } from './change.ts';
import { originOf } from './files.ts';
import { isOpenAt, nextOpening, supportHours, weekFrom } from './hours.ts';
import { countOpened, mostInADay, openTicket } from './open.ts';
import {
  listTickets,
  messageList,
  readMessages,
  readTicket,
  ticketCells,
  ticketDetail,
  ticketList,
  ticketQuery,
} from './read.ts';
import { answersAll, findTicket, hasNumber, writesTickets } from './scope.ts';
import { priorities } from './tables.ts';
import { contextKinds, readContext, screenPattern } from './ticket-context.ts';

/** Characters of one message. */
export const longestMessage = 20_000;
/** A text of several lines; the database cannot keep the character NUL. */
const message = {
  type: 'string',
  maxLength: longestMessage,
  pattern: '^[^\\u0000]*$',
  format: 'cloud-filled',
} as const;
const key = text(40);
const screenAddress = { type: 'string', maxLength: 500, pattern: screenPattern } as const;

const origin = {
  Kind: { enum: contextKinds },
  Of: text(40),
  Screen: screenAddress,
  Reference: text(100),
} as const;
const asked = {
  Subject: { ...text(150), format: 'cloud-filled' },
  Description: message,
  Priority: { enum: priorities },
  OrganisationId: key,
  UserId: key,
  Product: text(100),
  ...origin,
} as const;
const ticketBody = partial(asked, 'Subject', 'Description', 'Priority');
const outOfHoursBody = partial({ ...asked, Phone: { ...phone, minLength: 1 } }, 'Subject', 'Description', 'Phone');

const opening = object({
  IsOutOfHours: boolean,
  TimeZone: string,
  NextOpening: orNull(date),
  Week: list(object({ Day: string, Opens: orNull(string), Closes: orNull(string), ClosedBy: string })),
});
const context = object({
  ...{ OrganisationId: orNull(id), CustomerName: orNull(string), UserId: orNull(id) },
  ...{ Product: string, Screen: string, Reference: string, Failure: string },
});
const organisation = object({ OrganisationId: id, Name: string });
const user = fields('u', [
  { name: 'UserId', shape: id, column: 'id' },
  { name: 'Name', column: 'display_name' },
  { name: 'Email' },
]);
const seesOrganisations = anyOf(readsCustomers, answersAll);

/** Adds the routes of support tickets (document 2, section 7: Support). */
export function addTicketRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['support'], needs: writesTickets });

  route('GET /api/support/IsOutOfHours', { reply: opening }, () => ({
    IsOutOfHours: !isOpenAt(now(), supportHours),
    TimeZone: supportHours.timeZone,
    NextOpening: nextOpening(now(), supportHours),
    Week: weekFrom(now(), supportHours),
  }));

  for (const [name, isActive] of [
    ['SelectSupportAllRecordsByReseller', false],
    ['SelectSupportActiveRecordsByReseller', true],
  ] as const) {
    route(`GET /api/support/${name}`, { query: ticketQuery, reply: ticketList }, ({ caller, query }) =>
      listTickets(db, caller, query, isActive),
    );
    route(`GET /api/support/${name}/csv`, { query: ticketQuery, file: 'text/csv' }, async ({ caller, query }) => {
      const all = { ...query, page: 1, pageSize: 50_000 };
      const { Items } = await listTickets(db, caller, all, isActive);
      const titles = ['Number', 'Subject', 'Status', 'Priority', 'Customer', 'Product', 'Author', 'Created', 'Updated'];
      return { name: 'Tickets', rows: [titles, ...Items.map(ticketCells)] };
    });
  }

  route('GET /api/support/GetDetailTicket/:id', { reply: ticketDetail }, ({ caller, params }) =>
    readTicket(db, caller, params.id, now()),
  );
  route('GET /api/support/GetDetailHistorySupportTicket/:id', { reply: messageList }, ({ caller, params }) =>
    readMessages(db, caller, params.id),
  );

  const replied = object({ Status: string, Crossed: integer, CrossedBy: orNull(string) });
  route(
    'POST /api/support/UpdateSupportTicketByReseller',
    {
      body: partial({ TicketId: key, Message: message, Seen: { type: 'integer', minimum: 0 } }, 'TicketId', 'Message'),
      reply: replied,
      once: true,
      summary:
        'Adds a reply. A closed ticket is reopened; Crossed is how many messages others wrote since the author looked (Seen), CrossedBy who wrote the last.',
    },
    async ({ caller, trx, body: { TicketId, Message, Seen } }) => {
      const ticket = await findTicket(trx, caller, TicketId);
      return await replyToTicket({ trx, caller, now: now() }, ticket, { content: Message.trim(), seen: Seen });
    },
  );
  route('POST /api/support/CloseTicketByReseller/:id', { once: true }, async ({ caller, trx, params }) => {
    await closeTicket({ trx, caller, now: now() }, await findTicket(trx, caller, params.id));
  });

  route(
    'GET /api/support/GetOrgsSupport',
    {
      query: pageQuery({ search }),
      reply: object({ Items: list(organisation), Total: integer, TotalIsExact: boolean }),
    },
    async ({ caller, query }) => {
      // People who answer the tickets of all customers read their names there.
      if (!seesOrganisations.isMet(caller, {})) return { Items: [], Total: 0, TotalIsExact: true };
      return await findCustomers(db, caller, query);
    },
  );

  route(
    'GET /api/support/GetAdUsersSupport',
    {
      query: pageQuery({ search, organisationId: key }),
      reply: object({ Items: list(user.schema), Total: integer }),
      summary: 'The users of an organisation; none without one.',
    },
    ({ caller, query }) =>
      listPage(db, query, {
        fields: user,
        from: sql`users u join customers c on c.id = u.customer_id`,
        where: readsCustomers.isMet(caller, {})
          ? sql`${isVisibleTo(caller)} and ${hasNumber(query.organisationId)}`
          : sql`false`,
        filters: {
          search: words => sql`${searchKeyOf(sql`u.display_name || ' ' || u.email`)} like ${containing(words)}`,
        },
        order: sql`u.display_name, u.id`,
      }),
  );

  route(
    'GET /api/support/GetProductsSupport',
    {
      query: partial({ organisationId: key }),
      reply: list(object({ Name: string })),
      summary: 'The products that an organisation holds, or without one all.',
    },
    async ({ caller, query: { organisationId = '' } }) => {
      const isHeld = organisationId !== '' && readsServices.isMet(caller, {});
      const held = sql`exists (
        select from service_instances i join customers c on c.id = i.customer_id
        where (i.service_id, i.sub_id) = (p.service_id, p.sub_id) and i.status not in ('Deleted', 'Upgraded')
          and ${isVisibleTo(caller)} and ${hasNumber(organisationId)})`;
      const { rows } = await sql<{ Name: string }>`
        select distinct p.name as "Name" from products p where ${isHeld ? held : sql`true`} order by 1`.execute(db);
      return rows;
    },
  );

  route(
    'GET /api/support/ticket-context',
    { query: partial({ kind: { enum: contextKinds }, of: key, screen: screenAddress }), reply: context },
    ({ caller, query: { kind = '', of = '', screen = '' } }) =>
      readContext(db, caller, { Kind: kind, Of: of, Screen: screen, Reference: '' }),
  );

  const made = object({ TicketId: id });
  const blanks = { Priority: 'Normal', OrganisationId: '', UserId: '', Product: '', Phone: '' } as const;
  const noOrigin = { Kind: '', Of: '', Screen: '', Reference: '' } as const;
  for (const [name, body] of [
    ['SubmitTicket', ticketBody],
    ['SubmitOutOfHoursTicket', outOfHoursBody],
  ] as const)
    route(
      `POST /api/support/${name}`,
      { body: body as typeof outOfHoursBody, made, once: true },
      async ({ caller, trx, body: given }) => {
        if ((await countOpened(trx, caller, now())) >= mostInADay)
          throw refuseConflict('TicketsOften', { Most: String(mostInADay) });
        const ticket = { ...blanks, ...noOrigin, ...given };
        const found = await readContext(trx, caller, ticket);
        const origin = originOf({ kind: ticket.Kind, of: ticket.Of });
        const ticketId = await openTicket({ trx, caller, now: now() }, { ...ticket, origin }, found);
        return { TicketId: String(ticketId) };
      },
    );

  const details = object({ Name: string, Email: string, Phone: string, NextOpening: orNull(date), TimeZone: string });
  route('GET /api/support/GetDefaultOutOfHoursDetails', { reply: details }, async ({ caller }) => {
    const { rows } = await sql<{ phone: string | null }>`
      select coalesce((select u.phone from users u where u.id = ${caller.userId}),
        (select t.phone from tickets t where t.account_id = ${caller.accountId} and t.phone <> '' order by t.id desc limit 1)
      ) as phone`.execute(db);
    const opens = { NextOpening: nextOpening(now(), supportHours), TimeZone: supportHours.timeZone };
    return { Name: caller.displayName, Email: caller.email, Phone: rows[0]?.phone ?? '', ...opens };
  });
}
