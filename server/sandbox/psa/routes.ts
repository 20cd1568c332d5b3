import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { CloudError } from '../http/errors.ts';
import { WithMessage } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import { hintIntegrations } from '../integration/hints.ts';
import type { Parts } from '../parts.ts';
import { connectionOf, onlyNew, permitted, psaFlags } from './connection.ts';
import { contractLinesOf } from './contracts.ts';
import { countMatches, matchChanges, ownOf, readMatches, saveMatches, synchronizationOf, theirsOf } from './match.ts';
import { psaProducts } from './products.ts';
import { synchronization, wrapped } from './shapes.ts';
import { copyKinds, copyLife, isDue, readSync, syncStatusOf } from './sync.ts';
import type { Kind, PsaProduct } from './tables.ts';

const option = object({ id, name: string });
const row = {
  id,
  name: string,
  price: orNull(money),
  selectedOption: orNull(option),
  ignored: boolean,
  suggestion: orNull(option),
} as const;
const rows = object({ response: list(object(row)), synchronization, version: integer });
const theirs = wrapped(list(object({ id, name: string, price: orNull(money) })));
const contracts = wrapped(
  list(
    object({ id: string, contract: option, customer: option, service: orNull(option), quantity: { type: 'number' } }),
  ),
);
const counts = object({
  total: integer,
  matched: integer,
  unmatched: integer,
  ignored: integer,
  status: { ...string, description: 'NotSynchronized, New, Running, Completed or Failed' },
  synchronized: orNull(date),
  failure: orNull(string),
});
const integration = { id: integer, name: string, state: string, enabled: boolean } as const;
const settings = wrapped(object({ enabled: boolean, ignoreSalesOrders: boolean }));

const saved: Readonly<Record<Kind, string>> = {
  customers: 'Customers updated successfully',
  services: 'Services updated successfully',
};

/** Addresses of the same calls: of the new service, and of the monolith (document 2, section 7). */
const matchPaths = [
  ['customers', '/api/mapping/customers', '/api/integration/customers', '/api/integration/updateCustomers'],
  ['services', '/api/mapping/services', '/api/integration/products', '/api/integration/updateProducts'],
] as const;
const theirPaths = [
  ['customers', '/api/psa/customers', '/api/integration/psaCustomers'],
  ['services', '/api/psa/services', '/api/integration/psaProducts'],
] as const;

const completed = { status: 'completed' };

/**
 * Adds the routes of business systems: which there are, the settings, the matches with them, their contracts, and the
 * state and refreshing of the copies.
 */
export function addPsaRoutes(app: App, { db, psaSync: sync, psaCopies: copies, now }: Parts): void {
  const common = { tags: ['psa'], needs: view('pSA') };
  /** Of those with an enabled business system; the new service's are for those on it. */
  const route = routeAdder(app, db, {
    ...common,
    permit: ({ caller, isPlatform }) => permitted(db, caller, isPlatform),
  });
  /** Of those without one too. */
  const plainRoute = routeAdder(app, db, {
    ...common,
    async permit({ caller, isPlatform }) {
      if (isPlatform) onlyNew(await psaFlags(db, caller));
    },
  });

  for (const [kind, platform, monolith] of theirPaths)
    route([`GET ${platform}`, monolith], { reply: theirs }, async ({ caller, permitted: { isCached } }) => {
      await copies.freshen(caller, kind, isCached);
      const { status } = await synchronizationOf(db, caller, kind);
      return { response: await theirsOf(db, caller, kind), synchronization: { status } };
    });

  for (const [kind, platform, monolith, update] of matchPaths) {
    route([`GET ${platform}`, monolith], { reply: rows }, async ({ caller, permitted: { isCached } }) => {
      // Of a list that fails to load there are no suggestions; what is matched can be seen and changed.
      await copies.freshen(caller, kind, isCached).catch((error: unknown) => {
        if (!(error instanceof CloudError)) throw error;
      });
      return readMatches(db, caller, kind);
    });
    const saving = { body: matchChanges, reply: object({ version: integer }) };
    route([`POST ${platform}`, update], saving, async ({ caller, body }) => {
      const version = await db.transaction().execute(trx => saveMatches(trx, caller, kind, body));
      await hintIntegrations(db, caller.resellerId);
      return new WithMessage({ version }, saved[kind]);
    });
    route(`GET /api/cloud-market/${kind}`, { reply: wrapped(list(option)) }, async ({ caller }) => {
      const { status } = await synchronizationOf(db, caller, kind);
      const own = await ownOf(db, caller, kind);
      return { response: own.map(({ id, name }) => ({ id, name })), synchronization: { status } };
    });
    route(`POST /api/integration/refresh/${kind}`, {}, ({ caller }) =>
      sync.request(caller.resellerId, [kind], 'Manual'),
    );
  }

  route('GET /api/psa/contracts', { reply: contracts }, async ({ caller, permitted: { isCached } }) => {
    await copies.freshen(caller, 'contracts', isCached);
    const { status } = await synchronizationOf(db, caller, 'contracts');
    return { response: await contractLinesOf(db, caller), synchronization: { status } };
  });
  route('POST /api/psa/contracts/refresh', {}, ({ caller }) =>
    sync.request(caller.resellerId, ['contracts'], 'Manual'),
  );

  // Nothing is refreshed for those without the new service, and that is no failure (document 2, section 4).
  const refresh = routeAdder(app, db, { ...common, permit: ({ caller }) => permitted(db, caller, false) });
  refresh('POST /api/integration/refresh/all', {}, async ({ caller, permitted: { isNew } }) => {
    if (isNew) await sync.request(caller.resellerId, copyKinds, 'Manual');
  });

  const overview = wrapped(
    object({
      customers: counts,
      services: counts,
      unmatchedServices: list(option),
      name: orNull(string),
      state: string,
      enabled: boolean,
    }),
  );
  plainRoute(
    ['GET /api/integration/overview', '/api/integration/psaOverview'],
    { reply: overview },
    async ({ caller }) => {
      const connection = await connectionOf(db, caller.resellerId);
      const [customers, services] = await Promise.all([
        countMatches(db, caller, 'customers'),
        countMatches(db, caller, 'services'),
      ]);
      return {
        response: {
          customers: customers.counts,
          services: services.counts,
          unmatchedServices: services.unmatched,
          name: connection ? psaProducts[connection.product].name : null,
          state: connection?.state ?? 'unknown',
          enabled: connection?.enabled ?? false,
        },
        synchronization: { status: await syncStatusOf(db, caller) },
      };
    },
  );

  const integrations = { reply: wrapped(list(object(integration))) };
  plainRoute(
    ['GET /api/integration', '/api/integration/availableIntegrations'],
    integrations,
    async ({ caller: { resellerId } }) => {
      const connection = await connectionOf(db, resellerId);
      const response = Object.entries(psaProducts).map(([product, { name }]) => {
        const isOwn = connection?.product === (Number(product) as PsaProduct);
        const state = isOwn ? connection.state : 'unknown';
        return { id: Number(product), name, state, enabled: isOwn && connection.enabled };
      });
      return { response, synchronization: completed };
    },
  );

  const settingPaths = ['/api/settings', '/api/integration/settings'] as const;
  plainRoute([`GET ${settingPaths[0]}`, settingPaths[1]], { reply: settings }, async ({ caller: { resellerId } }) => {
    const connection = await connectionOf(db, resellerId);
    const { enabled = false, ignore_sales_orders: ignoreSalesOrders = false } = connection ?? {};
    return { response: { enabled, ignoreSalesOrders }, synchronization: completed };
  });
  const enabling = { body: object({ enabled: boolean }) };
  plainRoute([`POST ${settingPaths[0]}`, settingPaths[1]], enabling, ({ caller, body }) => set(caller, body));
  plainRoute(
    ['PUT /api/settings/ignore-sales-orders', '/api/integration/ignoreSalesOrders'],
    { body: object({ ignore: boolean }) },
    ({ caller, body: { ignore } }) => set(caller, { ignore_sales_orders: ignore }),
  );
  const set = async ({ resellerId }: Caller, values: { enabled: boolean } | { ignore_sales_orders: boolean }) => {
    const found = await db
      .updateTable('psa_connections')
      .set(values)
      .where('reseller_id', '=', resellerId)
      .executeTakeFirst();
    if (found.numUpdatedRows === 0n) throw new CloudError(409, 'NotConnected', ['No business system is connected.']);
    await hintIntegrations(db, resellerId);
  };

  const info = object({ kind: string, status: string, refreshed: orNull(date), expires: orNull(date), due: boolean });
  route(
    'GET /api/data-cache/latest',
    { reply: wrapped(list(info)) },
    async ({ caller: { resellerId }, permitted: { isCached } }) => {
      const syncs = isCached ? await Promise.all(copyKinds.map(kind => readSync(db, resellerId, kind))) : [];
      const response = syncs
        .filter(one => one !== undefined)
        .map(({ kind, status, completed: refreshed }) => ({
          kind,
          status,
          refreshed,
          expires: refreshed && new Date(refreshed.getTime() + copyLife),
          due: isDue(refreshed, now()),
        }));
      return { response, synchronization: completed };
    },
  );
  route(
    'POST /api/data-cache/refresh',
    { body: object({ triggerType: { enum: ['Manual', 'Setup'] } }) },
    async ({ caller, permitted: { isCached }, body: { triggerType } }) => {
      if (isCached) await sync.request(caller.resellerId, copyKinds, triggerType);
    },
  );
}
