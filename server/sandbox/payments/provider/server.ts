import { randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { requireOwnHost } from '../../http/own-host.ts';
import type { Database } from '../../tables.ts';
import { type Callback, pageText, textToSign } from '../callback-text.ts';
import { type FieldError, type Form, type Method, readBankAccount, readCard } from './card-form.ts';
import { charge, findCharge, voidCharge } from './charges.ts';
import { type ProviderKeys, signText } from './keys.ts';
import { mandateStatus } from './mandates.ts';
import { donePage, formPage, pageHeaders, refusedPage } from './pages.ts';

export const tenantId = 'fernhill';
export const pagePath = '/apps/PublicHostedPageLite.do';
export const callbackPath = '/hosted-page';
/** The hosted page of each kind of payment method. */
export const pageIds = { card: 'card-page', directDebit: 'direct-debit-page' } as const;

/** Milliseconds for which a page can be opened and sent. */
const tokenLife = 30 * 60_000;
/** Milliseconds that a slow card takes: longer than the cloud waits. */
const slowness = 12_000;

export type ProviderParts = {
  readonly db: Database;
  readonly keys: ProviderKeys;
  readonly now: () => Date;
  /** Origin of the portal, which alone may frame the pages. */
  readonly portalUrl: string;
};

const asText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 2000) : '');

/**
 * Creates the stand-in of a card provider (Payment Pages 2.0) as a server of its own, so that its pages have an origin of
 * their own: hosted forms for cards and direct debits, and the API that the cloud asks. It keeps no card number.
 */
export function createCardProvider(parts: ProviderParts): FastifyInstance {
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  app.removeContentTypeParser('text/plain');
  app.register(async scope => addPages(scope as unknown as FastifyInstance, parts));
  app.register(async scope => addApi(scope as unknown as FastifyInstance, parts));
  return app as unknown as FastifyInstance;
}

/** The token row of a page that may be opened: its signature is the provider's own, and it is neither old nor spent. */
async function findToken({ db, keys, now }: ProviderParts, query: Readonly<Record<string, unknown>>) {
  const [token, pageId, signature] = [asText(query.token), asText(query.id), asText(query.signature)];
  const row = await db.selectFrom('card_provider_tokens').selectAll().where('token', '=', token).executeTakeFirst();
  if (!row || row.spent || now().getTime() - row.issued.getTime() > tokenLife || row.page_id !== pageId)
    return undefined;
  const text = Buffer.from(pageText({ uri: row.uri, tenantId, pageId, token }));
  return verify('sha512', text, keys.publicKey, Buffer.from(signature, 'base64')) ? row : undefined;
}

type Token = NonNullable<Awaited<ReturnType<typeof findToken>>>;

/** Stores the payment method and spends the token; false where another request was first. */
async function storeMethod({ db, now }: ProviderParts, { token, page_id }: Token, method: Method): Promise<boolean> {
  return db.transaction().execute(async trx => {
    const spent = await trx
      .updateTable('card_provider_tokens')
      .set({ spent: now() })
      .where('token', '=', token)
      .where('spent', 'is', null)
      .executeTakeFirst();
    if (spent.numUpdatedRows === 0n) return false;
    const { brand, last4, holder, expires, behaviour } = method;
    await trx
      .insertInto('card_provider_methods')
      .values({
        ...{ id: `pm_${randomBytes(12).toString('hex')}`, token, brand, last4, holder, behaviour },
        kind: page_id === pageIds.card ? 'card' : 'directDebit',
        expires: expires === null ? null : new Date(`${expires}T00:00:00Z`),
        created: now(),
        closed: null,
      })
      .execute();
    return true;
  });
}

/** The callbacks that the page hands over: signed now, or as a card for tests wants it. */
function answersFor({ keys, now }: ProviderParts, { token, page_id }: Token, { behaviour }: Method, nonce: string) {
  const age = behaviour === 'stale' ? 6 * 60_000 : 0;
  const callback: Callback = {
    ...{ callbackPath, tenantId, pageId: page_id, token, errorCode: '', passthrough1: nonce },
    timestamp: String(now().getTime() - age),
  };
  const signed = behaviour === 'forged' ? { ...callback, token: token.slice(1) } : callback;
  const answer = { ...callback, signature: signText(keys, textToSign(signed)) };
  return behaviour === 'replayed' ? [answer, answer] : [answer];
}

function addPages(app: FastifyInstance, parts: ProviderParts): void {
  app.addHook('onRequest', requireOwnHost);
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  const host = new URL(parts.portalUrl).origin;
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const query = request.query as Readonly<Record<string, unknown>>;
    reply.headers(pageHeaders(host));
    return { token: await findToken(parts, query), said: { host, nonce: asText(query.field_passthrough1) } };
  };
  const refuse = (reply: FastifyReply) =>
    reply.code(400).send(refusedPage('It was used already, or is too old. Close it and begin again.'));
  const asked = (token: Token) => ({
    kind: token.page_id === pageIds.card ? ('card' as const) : ('directDebit' as const),
    currency: token.currency,
  });

  app.get(pagePath, async (request, reply) => {
    const { token, said } = await open(request, reply);
    if (!token) return refuse(reply);
    return reply.send(formPage(asked(token), {}, [], said));
  });

  app.post(pagePath, async (request, reply) => {
    const { token, said } = await open(request, reply);
    if (!token) return refuse(reply);
    const form = (request.body ?? {}) as Form;
    const read: Method | FieldError[] =
      asked(token).kind === 'card'
        ? readCard(form, token.card_types, parts.now().toISOString().slice(0, 10))
        : readBankAccount(form, token.currency);
    if (Array.isArray(read)) return reply.send(formPage(asked(token), form, read, said));
    if (!(await storeMethod(parts, token, read))) return refuse(reply);
    return reply.send(donePage(answersFor(parts, token, read, said.nonce), said));
  });
}

const filled = { type: 'string', minLength: 1, maxLength: 200 } as const;

function addApi(app: FastifyInstance, parts: ProviderParts): void {
  const { db, keys, now } = parts;
  const bearer = Buffer.from(`Bearer ${keys.secret}`);
  app.addHook('onRequest', async ({ headers: { authorization = '' } }, reply) => {
    const given = Buffer.from(authorization);
    if (given.length !== bearer.length || !timingSafeEqual(given, bearer))
      return reply.code(401).send({ success: false, message: 'Unknown caller.' });
  });

  const page = {
    type: 'object',
    required: ['uri', 'pageId', 'accountId', 'currency'],
    properties: {
      ...{
        uri: filled,
        pageId: { enum: Object.values(pageIds) },
        accountId: filled,
        currency: { enum: ['GBP', 'EUR'] },
      },
      cardTypes: { type: 'array', items: filled, maxItems: 5 },
    },
  } as const;
  type PageBody = { uri: string; pageId: string; accountId: string; currency: string; cardTypes?: string[] };
  app.post<{ Body: PageBody }>('/v1/rsa-signatures', { schema: { body: page } }, async ({ body }) => {
    const { uri, pageId, accountId, currency, cardTypes = [] } = body;
    // Its signature names 32 signs of it (Payment Pages 2.0).
    const token = randomBytes(16).toString('hex');
    await db
      .insertInto('card_provider_tokens')
      .values({
        token,
        page_id: pageId,
        account: accountId,
        currency,
        card_types: cardTypes,
        uri,
        issued: now(),
        spent: null,
      })
      .execute();
    const key = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const signature = signText(keys, pageText({ uri, tenantId, pageId, token }));
    return { success: true, signature, token, tenantId, key };
  });

  app.get<{ Querystring: { token?: string } }>('/v1/payment-methods', async ({ query }, reply) => {
    const row = await db
      .selectFrom('card_provider_methods')
      .selectAll()
      .where('token', '=', asText(query.token))
      .executeTakeFirst();
    if (!row) return reply.code(404).send({ success: false });
    const { id, kind, brand, last4, holder, expires } = row;
    return { success: true, id, kind, brand, last4, holder, expires: expires?.toISOString().slice(0, 10) ?? null };
  });

  app.post<{ Params: { id: string } }>('/v1/payment-methods/:id/close', async ({ params: { id } }) => {
    await db
      .updateTable('card_provider_methods')
      .set({ closed: now() })
      .where('id', '=', id)
      .where('closed', 'is', null)
      .execute();
    return { success: true };
  });

  app.get<{ Params: { id: string } }>('/v1/mandates/:id', async ({ params: { id } }, reply) => {
    const status = await mandateStatus(db, id, now());
    if (status === undefined) return reply.code(404).send({ success: false });
    return { success: true, status };
  });

  const chargeBody = {
    type: 'object',
    required: ['key', 'methodId', 'amount', 'currency'],
    properties: { key: filled, methodId: filled, amount: { type: 'integer', minimum: 1 }, currency: filled },
  } as const;
  type ChargeBody = { key: string; methodId: string; amount: number; currency: string };
  app.post<{ Body: ChargeBody }>('/v1/charges', { schema: { body: chargeBody } }, async ({ body }, reply) => {
    const { behaviour, ...made } = await charge(db, body, now());
    // What follows is only the answer: the charge is made.
    if (behaviour === 'slow') await sleep(slowness, undefined, { ref: false });
    if (behaviour === 'nonsense') return reply.type('text/html').send('<p>Good morning</p>');
    return { success: true, ...made };
  });
  app.get<{ Params: { key: string } }>('/v1/charges/:key', async ({ params: { key } }, reply) => {
    const found = await findCharge(db, key);
    return found ? { success: true, ...found } : reply.code(404).send({ success: false });
  });
  app.post<{ Params: { key: string } }>('/v1/charges/:key/void', async ({ params: { key } }) => ({
    success: true,
    ...(await voidCharge(db, key, now())),
  }));
}
