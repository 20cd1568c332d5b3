import { anyone } from '../auth/needs.ts';
import { signToken } from '../auth/tokens.ts';
import { routeAdder } from '../http/route.ts';
import { type App, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { hubPath } from './hub.ts';

/** How long a hub token opens a connection, in seconds: each connection asks for its own. */
const seconds = 60;

/** Adds the route that gives the hub's address and a token for it. */
export function addNegotiateRoute(app: App, { db, secret, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['notifications'], needs: anyone });

  route('GET /api/notifications/negotiate', { reply: object({ url: string, accessToken: string }) }, ({ caller }) => {
    const iat = Math.floor(now().getTime() / 1000);
    const claims = {
      sub: String(caller.accountId),
      sid: caller.grantId,
      typ: 'hub',
      iat,
      exp: iat + seconds,
    } as const;
    return { url: app.listeningOrigin + hubPath, accessToken: signToken(secret, claims) };
  });
}
