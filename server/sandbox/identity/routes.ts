import type { AddressInfo } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { requireOwnHost } from '../http/own-host.ts';
import type { App } from '../http/schema.ts';
import type { Database } from '../tables.ts';
import { type Connection, connections } from './connections.ts';
import type { Keys } from './keys.ts';
import { failurePage, pageHeaders, signInPage } from './pages.ts';
import { checkPassword, findPerson } from './people.ts';
import { createProvider } from './provider.ts';

type Options = { readonly db: Database; readonly keys: Keys };

/** Gives the sandbox's own address; it must be listening. */
export const addressOf = (app: Pick<App, 'server'>): string => {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

const read = (form: Readonly<Record<string, unknown>>, name: string): string => String(form[name] ?? '').slice(0, 256);

/**
 * Adds the identity providers, each below its path: the routes of the OpenID library, and the page where people sign
 * in.
 */
export async function addProviders(app: App, { db, keys }: Options): Promise<void> {
  for (const connection of connections) {
    let made: Promise<Provider> | undefined;
    const provider = (): Promise<Provider> => {
      made ??= createProvider({ db, keys, connection, base: addressOf(app) });
      return made;
    };
    await app.register(async (scope: App) => addSignInPage(scope, connection, provider, db));
    await app.register(async (scope: App) => addLibrary(scope, connection, provider));
  }
}

function addLibrary(app: App, { path }: Connection, provider: () => Promise<Provider>): void {
  app.addHook('onRequest', requireOwnHost);
  // The library reads bodies itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.all(`${path}/*`, { schema: { hide: true } }, async (request, reply) => {
    const own = await provider();
    reply.hijack();
    const { raw } = request;
    // Its addresses are made from the host of a request: only ever from the sandbox's own.
    raw.headers.host = new URL(own.issuer).host;
    Object.assign(raw, { originalUrl: raw.url, url: raw.url?.slice(path.length) });
    const { post_logout_redirect_uri } = request.query as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(pageHeaders(post_logout_redirect_uri))) reply.raw.setHeader(name, value);
    await own.callback()(raw, reply.raw);
  });
}

function addSignInPage(app: App, connection: Connection, provider: () => Promise<Provider>, db: Database): void {
  app.addHook('onRequest', requireOwnHost);
  const address = `${connection.path}/sign-in/:uid`;
  const schema = { hide: true };

  const open = async ({ raw }: FastifyRequest, reply: FastifyReply) => {
    const details = await (await provider()).interactionDetails(raw, reply.raw).catch(() => undefined);
    const { redirect_uri, login_hint } = details?.params ?? {};
    reply.headers(pageHeaders(redirect_uri)).type('text/html; charset=utf-8');
    return { details, hint: typeof login_hint === 'string' ? login_hint.slice(0, 100) : '' };
  };
  const ended = (reply: FastifyReply) =>
    reply.code(400).send(failurePage(connection, 'This page has expired, or was opened in another browser.'));
  const knownFor = async (details: Awaited<ReturnType<Provider['interactionDetails']>>) => {
    const subject = details.prompt.name === 'select_account' ? details.session?.accountId : undefined;
    return subject === undefined ? undefined : await findPerson(db, connection.path, subject);
  };

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  });

  app.get(address, { schema }, async (request, reply) => {
    const { details, hint } = await open(request, reply);
    if (!details) return ended(reply);
    const known = await knownFor(details);
    return reply.send(signInPage(connection, { username: known ? '' : hint, known: known?.username }));
  });

  app.post(address, { schema }, async (request, reply) => {
    const { details } = await open(request, reply);
    if (!details) return ended(reply);
    const form = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    const goOn = async (result: Parameters<Provider['interactionResult']>[2]) =>
      reply.redirect(await (await provider()).interactionResult(request.raw, reply.raw, result), 303);
    if (form.cancel === 'yes')
      return await goOn({ error: 'access_denied', error_description: 'The person cancelled signing in.' });
    const known = await knownFor(details);
    if (form.known === 'yes' && known) return await goOn({ select_account: {}, login: { accountId: known.subject } });
    const username = read(form, 'username').trim();
    const outcome = await checkPassword(db, connection.path, {
      username,
      password: read(form, 'password'),
      address: request.ip,
    });
    if (typeof outcome === 'object')
      return await goOn({ select_account: {}, login: { accountId: outcome.subject, remember: false } });
    const error =
      outcome === 'locked'
        ? 'There were too many wrong passwords. Wait a quarter of an hour and try again.'
        : 'The email address or password is wrong.';
    return reply.code(422).send(signInPage(connection, { username, known: known?.username, error }));
  });
}
