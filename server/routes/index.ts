import type { FastifyInstance } from 'fastify';
import type { Caller } from '../commands/caller.ts';
import { addAssets } from './assets.ts';
import { addBootRoute } from './boot.ts';
import { addCallRoute } from './call.ts';
import type { CallerOf } from './callers.ts';
import { addCommandRoutes } from './command.ts';
import { addDataRoute } from './data.ts';
import { addFilesRoute } from './files.ts';
import { addHealthRoutes } from './health.ts';
import { addLayoutRoute } from './layout.ts';
import { addPageRoute } from './page.ts';
import type { RouteParts } from './parts.ts';
import { addScreenRoute } from './screen.ts';
import { addSignOutRoute } from './sign-out.ts';

/** Routes that answer alike to everyone, then, behind the question who is calling, all others. */
export async function addRoutes(app: FastifyInstance, parts: RouteParts, callerOf: CallerOf): Promise<void> {
  addHealthRoutes(app, parts);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await addAssets(app, parts.client);
  await app.register(async scope => {
    scope.decorateRequest('caller', null as unknown as Caller);
    scope.addHook('onRequest', (request, _, done) => {
      const caller = callerOf(request);
      if (!(caller instanceof Promise)) {
        request.caller = caller;
        return done();
      }
      caller.then(found => {
        request.caller = found;
        done();
      }, done);
    });
    addBootRoute(scope, parts);
    addLayoutRoute(scope, parts);
    addScreenRoute(scope, parts);
    addDataRoute(scope, parts);
    addCallRoute(scope, parts);
    addCommandRoutes(scope, parts);
    addSignOutRoute(scope, parts);
    addFilesRoute(scope, parts);
    addPageRoute(scope, parts);
  });
}
