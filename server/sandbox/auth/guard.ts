import type {} from '@fastify/swagger';
import type { FastifyRequest } from 'fastify';
import { asLimited } from '../database/limited.ts';
import {
  accountDisabled,
  addressNotAllowed,
  CloudError,
  notPermitted,
  permissionNotFound,
  unauthorized,
} from '../http/errors.ts';
import type { App } from '../http/schema.ts';
import { clientAddress } from '../ip-access/client-address.ts';
import { opens } from '../manage-api/keys.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { findCaller } from './caller.ts';
import { readToken, verifyToken } from './tokens.ts';

type GuardParts = Pick<Parts, 'db' | 'secret' | 'now' | 'judges' | 'noteUse'>;

/**
 * Guards every route that is added to `app` from now on. Checks, in this order: bearer token, enabled account,
 * the address that it comes from, permissions record, actor header, and the route's `config.needs`; sets
 * `request.signedIn`. The handler of a caller who is limited to certain customers sees no other rows. Throws at start for
 * a route without `needs`.
 */
export function guardRoutes(app: App, { db, secret, now, judges, noteUse }: GuardParts): void {
  app.addHook('onRoute', route => {
    const needs = route.config?.needs;
    if (needs === undefined) throw new Error(`${route.method} ${route.url} does not say what it needs.`);
    const { handler } = route;
    route.handler = function (request, reply) {
      const { accountId, isLimited } = request.signedIn;
      const handle = () => handler.call(this, request, reply);
      return isLimited ? asLimited(accountId, handle) : handle();
    };
    route.schema = { ...route.schema, description: `Needs: ${needs.label}.`, security: [{ bearer: [], actor: [] }] };
  });
  // Sets the shape once; each request gets its own caller below.
  app.decorateRequest('signedIn');
  app.addHook('onRequest', async request => {
    const caller = await identify(request, db, secret, now());
    const { needs, withoutRecord } = request.routeOptions.config;
    if (!caller.enabled) throw accountDisabled();
    const address = clientAddress(request);
    if (!(await judges.admits(caller, address))) throw addressNotAllowed();
    if (!caller.hasPermissions && !withoutRecord) throw permissionNotFound();
    checkActor(request, [caller.userName, caller.email]);
    if (!needs?.isMet(caller, request.params as Record<string, string>)) throw notPermitted();
    if (caller.apiCalls && !opens(caller.apiCalls, request.method, request.routeOptions.url ?? ''))
      throw notPermitted();
    await noteUse(caller, address);
    request.signedIn = { ...caller, address };
  });
}

async function identify(request: FastifyRequest, db: Database, secret: string, now: Date) {
  const claims = verifyToken(secret, readToken(request.headers.authorization), 'access', now);
  const caller = claims && (await findCaller(db, claims.sid));
  if (caller === undefined || caller.revoked) throw unauthorized();
  return caller;
}

/** Document 1, section 6: the user name for end users, the email address for others; either is taken from all. */
function checkActor(request: FastifyRequest, names: string[]): void {
  const actor = request.headers['actor-id'];
  if (typeof actor === 'string' && names.some(name => name.toLowerCase() === actor.toLowerCase())) return;
  throw new CloudError(400, 'ActorUnknown', ['The actor-id header must name the signed-in account.']);
}
