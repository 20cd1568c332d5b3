import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { escapeHtml } from '../http/escape-html.ts';
import { requireOwnHost } from '../http/own-host.ts';
import { drawPage, pageHeaders } from '../http/own-page.ts';
import type { App } from '../http/schema.ts';
import { readForms } from '../http/server.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { readPayload, writePayload } from './discourse-connect.ts';
import { readSecret } from './secrets.ts';
import { redeemToken } from './tokens.ts';

/** Milliseconds for which the forum takes the answer to its question. */
const nonceLife = 10 * 60_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 8000) : '');
const cookieName = 'forum';
/** Milliseconds for which the forum knows who has signed in. */
const visitLife = 86_400_000;

/** Deletes what is too old to be answered, and visits that are over: anybody may have the forum ask. */
async function forgetQuestions(db: Database, now: Date): Promise<void> {
  const before = (life: number) => new Date(now.getTime() - life);
  await db
    .deleteFrom('forum_questions')
    .where(({ and, or, eb }) =>
      or([and([eb('asked', '<', before(nonceLife)), eb('cookie', 'is', null)]), eb('asked', '<', before(visitLife))]),
    )
    .execute();
}

/** Adds stand-ins of the sites beside the portal: a forum, a help centre and a portal of servers, each a page that says who is signed in. */
export function addSitePages(app: App, parts: Parts): void {
  app.register(async scope => {
    const pages = scope as unknown as FastifyInstance;
    pages.addHook('onRequest', requireOwnHost);
    readForms(scope as unknown as App);
    addForum(pages, parts);
    addTokenSite(pages, parts, 'help-centre', 'Help centre');
    addTokenSite(pages, parts, 'server-portal', 'Cloud servers');
  });
}

const greet = (reply: FastifyReply, title: string, name: string | undefined): string => {
  reply.headers(pageHeaders);
  if (name === undefined) reply.code(403);
  return drawPage(
    title,
    `<p>${name === undefined ? 'Nobody is signed in. Come from the portal.' : `You are ${escapeHtml(name)}.`}</p>`,
  );
};

function addTokenSite(app: FastifyInstance, { db, now }: Parts, site: 'help-centre' | 'server-portal', title: string) {
  app.post(`/${site}`, { schema: { hide: true } }, async ({ body }, reply) => {
    const token = textOf((body as { readonly token?: unknown } | null)?.token);
    return greet(reply, title, (await redeemToken(db, site, token, now()))?.name);
  });
}

function addForum(app: FastifyInstance, { db, now, signOn }: Parts): void {
  const schema = { hide: true };
  app.get('/community', { schema }, async ({ headers: { cookie = '' } }, reply) => {
    const [, given] = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(cookie) ?? [];
    const found = given
      ? await db.selectFrom('forum_questions').select('name').where('cookie', '=', given).executeTakeFirst()
      : undefined;
    return greet(reply, 'Community', found?.name ?? undefined);
  });

  app.get('/community/session/sso', { schema }, async (_request, reply) => {
    const nonce = randomBytes(16).toString('hex');
    await forgetQuestions(db, now());
    await db.insertInto('forum_questions').values({ nonce, asked: now(), name: null, cookie: null }).execute();
    const asked = { nonce, return_sso_url: `${signOn.base()}/community/session/sso_login` };
    const { value: portal } = await db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'portal url')
      .executeTakeFirstOrThrow();
    const address = new URL('/community/sign-on', portal);
    for (const [name, value] of Object.entries(writePayload(await readSecret(db, 'forum'), asked)))
      address.searchParams.set(name, value);
    return reply.redirect(address.href, 302);
  });

  app.get('/community/session/sso_login', { schema }, async ({ query }, reply) => {
    const { sso, sig } = query as Readonly<Record<string, unknown>>;
    const said = readPayload(await readSecret(db, 'forum'), textOf(sso), textOf(sig));
    const cookie = randomBytes(16).toString('base64url');
    const taken = await db
      .updateTable('forum_questions')
      .set({ name: said?.get('name') ?? '', cookie })
      .where('nonce', '=', said?.get('nonce') ?? '')
      .where('cookie', 'is', null)
      .where('asked', '>', new Date(now().getTime() - nonceLife))
      .executeTakeFirst();
    if (taken.numUpdatedRows !== 1n) return greet(reply, 'Community', undefined);
    reply.header('set-cookie', `${cookieName}=${cookie}; Path=/community; HttpOnly; SameSite=Lax`);
    return reply.redirect('/community', 302);
  });
}
