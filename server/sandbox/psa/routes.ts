import type { FastifyRequest } from 'fastify';
import { view } from '../auth/needs.ts';
import { CloudError } from '../http/errors.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, id, integer, list, money, object, orNull, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { connectionOf, onlyNew, permitted, psaFlags } from './connection.ts';
import { contractLinesOf } from './contracts.ts';
import { type Change, countMatches, ownOf, readMatches, saveMatches, synchronizationOf, theirsOf } from './match.ts';
import { psaProducts } from './products.ts';
import { body, synchronization, wrapped } from './shapes.ts';
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
const settings = { enabled: boolean, ignoreSalesOrders: boolean } as const;

const changes = body(
  {
    changes: {
      type: 'array',
      minItems: 1,
      maxItems: 5000,
      items: body({ id: text(40), optionId: { ...text(40), nullable: true }, ignored: { type: 'boolean' } }, [
        'id',
        'optionId',
        'ignored',
      ]),
    },
    version: { type: 'integer' },
  },
  ['changes', 'version'],
);

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

const tags = ['psa'];
const config = { needs: view('pSA') };

/**
 * Adds the routes of business systems: which there are, the settings, the matches with them, their contracts, and the
 * state and refreshing of the copies.
 */
export function addPsaRoutes(app: App, { db, psaSync: sync, psaCopies: copies, now }: Parts): void {
  const permit = ({ signedIn }: FastifyRequest, isNew: boolean) => permitted(db, signedIn, isNew);

  for (const [kind, ...paths] of theirPaths) {
    for (const [index, path] of paths.entries()) {
      app.get(path, { config, schema: { tags, response: replies(theirs) } }, async request => {
        const { isCached } = await permit(request, index === 0);
        await copies.freshen(request.signedIn, kind, isCached);
        const { status } = await synchronizationOf(db, request.signedIn, kind);
        return succeed({ response: await theirsOf(db, request.signedIn, kind), synchronization: { status } });
      });
    }
  }

  for (const [kind, path, oldPath, oldUpdatePath] of matchPaths) {
    for (const [index, address] of [path, oldPath].entries()) {
      app.get(address, { config, schema: { tags, response: replies(rows) } }, async request => {
        const { isCached } = await permit(request, index === 0);
        // Of a list that fails to load there are no suggestions; what is matched can be seen and changed.
        await copies.freshen(request.signedIn, kind, isCached).catch((error: unknown) => {
          if (!(error instanceof CloudError)) throw error;
        });
        return succeed(await readMatches(db, request.signedIn, kind));
      });
    }
    for (const [index, address] of [path, oldUpdatePath].entries()) {
      app.post(
        address,
        { config, schema: { tags, body: changes, response: replies(object({ version: integer })) } },
        async request => {
          await permit(request, index === 0);
          const given = request.body as { changes: readonly Change[]; version: number };
          const version = await db.transaction().execute(trx => saveMatches(trx, request.signedIn, kind, given));
          return succeed({ version }, saved[kind]);
        },
      );
    }
    app.get(
      `/api/cloud-market/${kind}`,
      { config, schema: { tags, response: replies(wrapped(list(option))) } },
      async request => {
        await permit(request, true);
        const { status } = await synchronizationOf(db, request.signedIn, kind);
        const own = await ownOf(db, request.signedIn, kind);
        return succeed({ response: own.map(({ id, name }) => ({ id, name })), synchronization: { status } });
      },
    );
    app.post(`/api/integration/refresh/${kind}`, { config, schema: { tags, response: replies() } }, async request => {
      await permit(request, true);
      await sync.request(request.signedIn.resellerId, [kind], 'Manual');
      return done();
    });
  }

  app.get('/api/psa/contracts', { config, schema: { tags, response: replies(contracts) } }, async request => {
    const { isCached } = await permit(request, true);
    const { signedIn } = request;
    await copies.freshen(signedIn, 'contracts', isCached);
    const { status } = await synchronizationOf(db, signedIn, 'contracts');
    return succeed({ response: await contractLinesOf(db, signedIn), synchronization: { status } });
  });
  app.post('/api/psa/contracts/refresh', { config, schema: { tags, response: replies() } }, async request => {
    await permit(request, true);
    await sync.request(request.signedIn.resellerId, ['contracts'], 'Manual');
    return done();
  });

  // Nothing is refreshed for those without the new service, and that is no failure (document 2, section 4).
  app.post('/api/integration/refresh/all', { config, schema: { tags, response: replies() } }, async request => {
    const { isNew } = await permit(request, false);
    if (isNew) await sync.request(request.signedIn.resellerId, copyKinds, 'Manual');
    return done();
  });

  const overview = {
    customers: counts,
    services: counts,
    unmatchedServices: list(option),
    name: orNull(string),
    state: string,
    enabled: boolean,
  };
  for (const [index, path] of ['/api/integration/overview', '/api/integration/psaOverview'].entries()) {
    app.get(path, { config, schema: { tags, response: replies(wrapped(object(overview))) } }, async ({ signedIn }) => {
      if (index === 0) onlyNew(await psaFlags(db, signedIn));
      const connection = await connectionOf(db, signedIn.resellerId);
      const [customers, services] = await Promise.all([
        countMatches(db, signedIn, 'customers'),
        countMatches(db, signedIn, 'services'),
      ]);
      return succeed({
        response: {
          customers: customers.counts,
          services: services.counts,
          unmatchedServices: services.unmatched,
          name: connection ? psaProducts[connection.product].name : null,
          state: connection?.state ?? 'unknown',
          enabled: connection?.enabled ?? false,
        },
        synchronization: { status: await syncStatusOf(db, signedIn) },
      });
    });
  }

  for (const [index, path] of ['/api/integration', '/api/integration/availableIntegrations'].entries()) {
    app.get(
      path,
      { config, schema: { tags, response: replies(wrapped(list(object(integration)))) } },
      async ({ signedIn }) => {
        if (index === 0) onlyNew(await psaFlags(db, signedIn));
        const connection = await connectionOf(db, signedIn.resellerId);
        const response = Object.entries(psaProducts).map(([product, { name }]) => {
          const isOwn = connection?.product === (Number(product) as PsaProduct);
          const state = isOwn ? connection.state : 'unknown';
          return { id: Number(product), name, state, enabled: isOwn && connection.enabled };
        });
        return succeed({ response, synchronization: { status: 'completed' } });
      },
    );
  }

  for (const [index, path] of ['/api/settings', '/api/integration/settings'].entries()) {
    app.get(path, { config, schema: { tags, response: replies(wrapped(object(settings))) } }, async ({ signedIn }) => {
      if (index === 0) onlyNew(await psaFlags(db, signedIn));
      const connection = await connectionOf(db, signedIn.resellerId);
      const response = {
        enabled: connection?.enabled ?? false,
        ignoreSalesOrders: connection?.ignore_sales_orders ?? false,
      };
      return succeed({ response, synchronization: { status: 'completed' } });
    });
    const taken = body({ enabled: { type: 'boolean' } }, ['enabled']);
    app.post(path, { config, schema: { tags, body: taken, response: replies() } }, async ({ signedIn, body }) => {
      if (index === 0) onlyNew(await psaFlags(db, signedIn));
      await set(signedIn.resellerId, body as { enabled: boolean });
      return done();
    });
  }
  for (const [index, path] of ['/api/settings/ignore-sales-orders', '/api/integration/ignoreSalesOrders'].entries()) {
    const taken = body({ ignore: { type: 'boolean' } }, ['ignore']);
    app.put(path, { config, schema: { tags, body: taken, response: replies() } }, async ({ signedIn, body }) => {
      if (index === 0) onlyNew(await psaFlags(db, signedIn));
      await set(signedIn.resellerId, { ignore_sales_orders: (body as { ignore: boolean }).ignore });
      return done();
    });
  }
  const set = async (resellerId: number, values: { enabled: boolean } | { ignore_sales_orders: boolean }) => {
    const found = await db
      .updateTable('psa_connections')
      .set(values)
      .where('reseller_id', '=', resellerId)
      .executeTakeFirst();
    if (found.numUpdatedRows === 0n) throw new CloudError(409, 'NotConnected', ['No business system is connected.']);
  };

  const info = object({ kind: string, status: string, refreshed: orNull(date), expires: orNull(date), due: boolean });
  app.get(
    '/api/data-cache/latest',
    { config, schema: { tags, response: replies(wrapped(list(info))) } },
    async request => {
      const { isCached } = await permit(request, true);
      const syncs = isCached
        ? await Promise.all(copyKinds.map(kind => readSync(db, request.signedIn.resellerId, kind)))
        : [];
      const response = syncs.flatMap(one =>
        one
          ? [
              {
                kind: one.kind,
                status: one.status,
                refreshed: one.completed,
                expires: one.completed && new Date(one.completed.getTime() + copyLife),
                due: isDue(one.completed, now()),
              },
            ]
          : [],
      );
      return succeed({ response, synchronization: { status: 'completed' } });
    },
  );
  const trigger = body({ triggerType: { enum: ['Manual', 'Setup'] } }, ['triggerType']);
  app.post(
    '/api/data-cache/refresh',
    { config, schema: { tags, body: trigger, response: replies() } },
    async request => {
      const { isCached } = await permit(request, true);
      const { triggerType } = request.body as { triggerType: 'Manual' | 'Setup' };
      if (isCached) await sync.request(request.signedIn.resellerId, copyKinds, triggerType);
      return done();
    },
  );
}
