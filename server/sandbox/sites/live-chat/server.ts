import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { requireOwnHost } from '../../http/own-host.ts';
import { isOpenAt, supportHours } from '../../support/hours.ts';
import type { Database } from '../../tables.ts';
import { redeemToken } from '../tokens.ts';
import { answer, greet, welcomeBack } from './agent.ts';
import {
  findVisit,
  keepMessages,
  makeTicket,
  openVisit,
  readMessages,
  readVisitor,
  sayOpened,
  type Visitor,
  writesTooMuch,
} from './conversation.ts';
import { sandboxLicence } from './licence.ts';
import { type ChatPage, chatHeaders, chatPage, longestMessage, overPage } from './pages.ts';

type LiveChatParts = {
  readonly db: Database;
  readonly now: () => Date;
  /** Address of the portal, which alone may frame the pages. */
  readonly portalUrl: string;
};

type Fields = Readonly<Record<string, string>>;
const noFields: Fields = {};

/**
 * Creates the stand-in of the operator's live chat as a server of its own, so that its pages have an origin of their
 * own. It takes a token of the cloud in a form, keeps the conversation of its account, and an agent answers. It sets no
 * cookie: those of one port of a machine go to all of its ports.
 */
export function createLiveChat(parts: LiveChatParts): FastifyInstance {
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  app.addHook('onRequest', requireOwnHost);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 32_768 },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  addChatPages(app as unknown as FastifyInstance, parts);
  return app as unknown as FastifyInstance;
}

function addChatPages(app: FastifyInstance, { db, now, portalUrl }: LiveChatParts): void {
  const portal = new URL(portalUrl).origin;
  const refuse = (reply: FastifyReply) => reply.code(403).headers(chatHeaders(portal)).send(overPage());
  const show = async (reply: FastifyReply, page: Omit<ChatPage, 'messages' | 'portal'>) => {
    const messages = await readMessages(db, page.visitor.accountId);
    return reply.headers(chatHeaders(portal)).send(chatPage({ ...page, messages, portal }));
  };
  const say = (visitor: Visitor, content: string) =>
    keepMessages(db, visitor.accountId, now(), [{ byAgent: true, content }]);
  const find = async (fields: Fields): Promise<{ visit: string; visitor: Visitor } | undefined> => {
    const { visit = '' } = fields;
    const accountId = await findVisit(db, visit, now());
    const visitor = accountId === undefined ? undefined : await readVisitor(db, accountId);
    return visitor && { visit, visitor };
  };

  app.post('/', async ({ body }: FastifyRequest, reply) => {
    const { token = '', licence = '' } = (body as Fields | null) ?? noFields;
    const claims = licence === sandboxLicence ? await redeemToken(db, 'live-chat', token, now()) : undefined;
    const visitor = claims && (await readVisitor(db, Number(claims.sub)));
    if (!visitor) return refuse(reply);
    const isNew = (await readMessages(db, visitor.accountId)).length === 0;
    await say(visitor, isNew ? greet(visitor) : welcomeBack(visitor));
    return show(reply, { visitor, visit: await openVisit(db, visitor.accountId, now()), writes: false });
  });

  app.post('/message', async ({ body }: FastifyRequest, reply) => {
    const fields = (body as Fields | null) ?? noFields;
    const found = await find(fields);
    if (!found) return refuse(reply);
    const { visitor } = found;
    const text = (fields.text ?? '').replaceAll('\u0000', '').trim();
    const refused = (why: string) =>
      show(reply, { ...found, refused: { text: text.slice(0, longestMessage), why }, writes: true });
    if (text === '') return refused('Write a message first.');
    if (text.length > longestMessage) return refused(`A message has at most ${longestMessage} characters.`);
    if (await writesTooMuch(db, visitor.accountId, now()))
      return refused('That were many messages in an hour. Make it a ticket, and a colleague goes on with it.');
    await keepMessages(db, visitor.accountId, now(), [
      { byAgent: false, content: text },
      { byAgent: true, content: answer(text, visitor, isOpenAt(now(), supportHours)) },
    ]);
    return show(reply, { ...found, writes: true });
  });

  app.post('/ticket', async ({ body }: FastifyRequest, reply) => {
    const found = await find((body as Fields | null) ?? noFields);
    if (!found) return refuse(reply);
    const id = await makeTicket(db, found.visitor, now());
    await say(
      found.visitor,
      id === undefined
        ? 'I could not make a ticket: write first what it is about. If you have, open one in the portal under Support.'
        : sayOpened(id),
    );
    return show(reply, { ...found, writes: true });
  });
}
