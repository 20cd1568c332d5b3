import type { FastifyInstance, FastifyRequest } from 'fastify';
import { userHeader } from '../../shared/contract/envelope.ts';
import { PortalError } from '../errors.ts';
import type { Caller } from '../operations/caller.ts';
import { addApiRoutes } from './handlers/api.ts';
import { addAssets, addDocs } from './handlers/assets.ts';
import { addBootRoute } from './handlers/boot.ts';
import { addBrandLogoRoute, addPartnerLinkRoute } from './handlers/brand.ts';
import { addCallRoute } from './handlers/call.ts';
import { addCallbackRoute } from './handlers/callback.ts';
import { addCommandRoutes } from './handlers/command.ts';
import { addDataRoute } from './handlers/data.ts';
import { addDownloadRoutes } from './handlers/download.ts';
import { addFilesRoutes } from './handlers/files.ts';
import { addHandOverRoute } from './handlers/hand-over.ts';
import { addHealthRoutes } from './handlers/health.ts';
import { addLayoutRoute } from './handlers/layout.ts';
import { addPageRoute } from './handlers/page.ts';
import { addScreenRoute } from './handlers/screen.ts';
import { addSignOutRoute } from './handlers/sign-out.ts';
import { addSocketRoute } from './handlers/socket.ts';
import { addUnsubscribeRoute } from './handlers/unsubscribe.ts';
import { addUploadRoute } from './handlers/upload.ts';
import type { CallerOf } from './replies/caller-of-request.ts';
import type { RouteParts } from './replies/route-dependencies.ts';

/** True for a page of an account, or of a way to act for it, that this browser is no longer signed in with. */
function isOfAnother({ headers, caller: { session, principal } }: FastifyRequest): boolean {
  const said = headers[userHeader];
  const { identity } = principal.facts;
  return said !== undefined && session !== undefined && said !== identity && said !== encodeURI(identity);
}

/** Adds all routes: first those that need no caller, then, behind the look-up of the caller, the others. */
export async function addRoutes(app: FastifyInstance, parts: RouteParts, callerOf: CallerOf): Promise<void> {
  addHealthRoutes(app, parts);
  await addAssets(app, parts.client);
  await addDocs(app, parts.docs);
  addBrandLogoRoute(app, parts);
  addPartnerLinkRoute(app, parts);
  addApiRoutes(app, parts);
  await addUnsubscribeRoute(app, parts);
  await app.register(async scope => {
    scope.decorateRequest('caller', null as unknown as Caller);
    scope.addHook('onRequest', (request, reply, done) => {
      const take = (caller: Caller): void => {
        request.caller = caller;
        done(isOfAnother(request) ? new PortalError('CALLER_CHANGED') : undefined);
      };
      const caller = callerOf(request, reply);
      if (caller instanceof Promise) caller.then(take, done);
      else take(caller);
    });
    scope.get('/openapi.json', { schema: { hide: true } }, async ({ caller }) => {
      if (!caller.session) throw new PortalError('NOT_FOUND');
      return app.swagger();
    });
    addBootRoute(scope, parts);
    addLayoutRoute(scope, parts);
    addScreenRoute(scope, parts);
    addDataRoute(scope, parts);
    addCallRoute(scope, parts);
    addCommandRoutes(scope, parts);
    addCallbackRoute(scope, parts);
    addHandOverRoute(scope, parts);
    addSignOutRoute(scope, parts);
    addFilesRoutes(scope, parts);
    addDownloadRoutes(scope, parts);
    addUploadRoute(scope, parts);
    addSocketRoute(scope, parts);
    addPageRoute(scope, parts);
  });
}
