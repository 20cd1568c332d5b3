import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { anyone } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object, partial, string, text } from '../http/schema.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Parts } from '../parts.ts';
import { eventList, listDisturbances, listEvents, readStatus, statusShape } from './status.ts';

/** Adds the routes of the network status (document 2, section 7: Network). */
export function addNetworkRoutes(app: App, { db, now, portalUrl }: Parts): void {
  const route = routeAdder(app, db, { tags: ['network'], needs: anyone });

  route('GET /api/network/GetNetworkStatus', { reply: statusShape }, () => readStatus(db, now()));
  route('GET /api/network/NetworkStatus', { reply: eventList }, async () => ({ Items: await listEvents(db, now()) }));
  route(
    'GET /api/network/disturbances',
    {
      query: partial({ product: { ...text(200), default: '' } }),
      reply: eventList,
      summary: 'What disturbs a product, by its name, or is announced for it; without one, what disturbs any.',
    },
    async ({ query }) => ({ Items: await listDisturbances(db, now(), query.product) }),
  );
  route(
    'GET /api/network/GetNetworkStatusLink',
    {
      reply: object({ Url: string, FeedUrl: string }),
      summary: 'The page of the portal with the flag NewStatusPage, else that of the cloud; and the Atom feed.',
    },
    async ({ caller }) => {
      const { port } = app.server.address() as AddressInfo;
      const own = (path: string) => new URL(path, `http://127.0.0.1:${port}`).href;
      const isNew = (await flagsOf(db, caller.accountId)).has('NewStatusPage');
      return {
        Url: isNew ? new URL('/support/network-status', portalUrl).href : own('/status'),
        FeedUrl: own('/status.atom'),
      };
    },
  );

  route('GET /api/network/IsUserSubscribed', { reply: object({ IsSubscribed: boolean }) }, async ({ caller }) => {
    const found = await db
      .selectFrom('network_subscribers')
      .select('account_id')
      .where('account_id', '=', caller.accountId)
      .where('stopped', 'is', null)
      .executeTakeFirst();
    return { IsSubscribed: found !== undefined };
  });
  route(
    'POST /api/network/SubscribeUser',
    {
      query: partial({ wanted: { enum: ['on', 'off'] } }, 'wanted'),
      once: true,
      summary: 'Starts or ends the mails about the network.',
    },
    async ({ caller, trx, query }) => {
      if (query.wanted === 'on')
        await sql`insert into network_subscribers (account_id, since) values (${caller.accountId}, ${now()})
          on conflict (account_id) do update set stopped = null`.execute(trx);
      else await trx.deleteFrom('network_subscribers').where('account_id', '=', caller.accountId).execute();
    },
  );
}
