import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { contentDisposition } from '../../../shared/rules/file-name.ts';
import { CloudError, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { guardPage, type PageNotice, pageHeaders } from '../http/own-page.ts';
import type { App } from '../http/schema.ts';
import { readForms } from '../http/server.ts';
import type { Parts } from '../parts.ts';
import type { Database, Write } from '../tables.ts';
import { answerTicket, closeTicket } from './change.ts';
import { openAttachment } from './files.ts';
import { type DeskTicket, deskPage } from './page.ts';
import { longestMessage } from './routes.ts';
import type { Ticket } from './scope.ts';

/** Tickets that the page shows: those that have waited longest. */
const most = 50;

async function readWaiting(db: Database): Promise<DeskTicket[]> {
  const { rows } = await sql<Omit<DeskTicket, 'messages'>>`
    select t.id, t.subject, t.priority, t.author, r.name as reseller, c.name as customer, t.product, t.screen,
      t.reference, t.failure, t.phone
    from tickets t join resellers r on r.id = t.reseller_id left join customers c on c.id = t.customer_id
    where t.status = 'Open' and not t.is_simulated order by t.updated, t.id limit ${most}`.execute(db);
  if (rows.length === 0) return [];
  const messages = await db
    .selectFrom('ticket_messages as m')
    .select(['ticket_id', 'author', 'kind', 'content', 'at'])
    .select(
      sql<
        DeskTicket['messages'][number]['files']
      >`coalesce((select json_agg(json_build_object('id', f.id, 'name', f.name) order by f.id)
        from ticket_files f where f.message_id = m.id), '[]')`.as('files'),
    )
    .where(
      'ticket_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  return rows.map(row => ({ ...row, messages: messages.filter(({ ticket_id }) => ticket_id === row.id) }));
}

/** Holds a ticket, whoever's it is: support sees all. @throws {CloudError} 404 for none */
export const holdTicket = async (trx: Write, id: number): Promise<Ticket> =>
  await trx.selectFrom('tickets').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow(notFound);

const wordsOf = (error: CloudError): string =>
  error.refusals[0]?.Code === 'TicketEnded'
    ? 'This ticket was closed meanwhile.'
    : (error.messages[0] ?? error.message);

/** Adds the page on which the people of support answer tickets, to requests from this machine. */
export function addDeskPage(app: App, { db, portalUrl, now }: Parts): void {
  app.register(async (scope: App) => {
    readForms(scope);
    const options = { schema: { hide: true }, onRequest: guardPage };
    const show = async (reply: FastifyReply, said?: PageNotice) =>
      reply.headers(pageHeaders).send(deskPage(await readWaiting(db), portalUrl, said));

    scope.get('/tickets', options, (_request, reply) => show(reply as FastifyReply));
    scope.get('/tickets/files/:id', options, async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const file = await openAttachment(db, sql<boolean>`f.id = ${idOf(id)} and f.message_id is not null`);
      return reply
        .headers({ ...pageHeaders, 'content-disposition': contentDisposition(file.name), 'content-length': file.bytes })
        .type('application/octet-stream')
        .send(file.content);
    });

    const press = (
      verb: string,
      needsWords: boolean,
      act: (trx: Write, ticket: Ticket, content: string) => Promise<void>,
    ) =>
      scope.post(`/tickets/:id/${verb}`, { ...options, bodyLimit: 262_144 }, async (request, answer) => {
        const { id } = request.params as { readonly id: string };
        const { content = '' } = (request.body ?? {}) as { readonly content?: string };
        const reply = answer as FastifyReply;
        const words = content.replace(/\r\n/g, '\n').replaceAll('\0', '').trim();
        try {
          if (needsWords && (words === '' || words.length > longestMessage))
            throw new CloudError(400, 'Invalid', ['Write something, in at most 20,000 characters.']);
          await db.transaction().execute(async trx => act(trx, await holdTicket(trx, idOf(id)), words));
          return await show(reply, { text: `Ticket ${id}: done.` });
        } catch (error) {
          if (!(error instanceof CloudError)) throw error;
          return show(reply.code(error.status), { text: wordsOf(error), isBad: true });
        }
      });

    press('answer', true, (trx, ticket, content) => answerTicket({ trx, now: now() }, ticket, content, 'Answer'));
    press('ask', true, (trx, ticket, content) => answerTicket({ trx, now: now() }, ticket, content, 'Question'));
    press('close', false, (trx, ticket) => closeTicket({ trx, now: now() }, ticket));
  });
}
