import { anyone } from '../auth/needs.ts';
import { signToken } from '../auth/tokens.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { hubPath } from './hub.ts';

/** How long a hub token opens a connection, in seconds: each connection asks for its own. */
const seconds = 60;

/** Adds the route that gives the hub's address and a token for it. */
export function addNegotiateRoute(app: App, { secret, now }: Parts): void {
  app.get(
    '/api/notifications/negotiate',
    {
      config: { needs: anyone },
      schema: { tags: ['notifications'], response: replies(object({ url: string, accessToken: string })) },
    },
    async ({ signedIn }) => {
      const iat = Math.floor(now().getTime() / 1000);
      const claims = {
        sub: String(signedIn.accountId),
        sid: signedIn.grantId,
        typ: 'hub',
        iat,
        exp: iat + seconds,
      } as const;
      return succeed({ url: app.listeningOrigin + hubPath, accessToken: signToken(secret, claims) });
    },
  );
}
