import { Readable } from 'node:stream';
import { view } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, list, object, orNull, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { addResourceRoutes } from '../resource/routes.ts';
import { cost, loads, loadWaiting, undoFile, usageFileSums } from './files.ts';
import { loadFile } from './load-file.ts';
import { listGroups, listSubscriptions, readUsage, reportQuery, subscription } from './report.ts';

const quantity = { type: 'number', description: 'In the unit beside it.' } as const;
const choices = list(object({ Text: string, Value: string }));
const report = object({
  Label: list(string),
  Values: list(object({ Symbol: string, Values: list(orNull(cost)) })),
  Items: list(
    object({
      Id: string,
      Date: string,
      Symbol: string,
      Quantity: orNull(quantity),
      Unit: orNull(string),
      Spend: orNull(cost),
    }),
  ),
  Total: integer,
  Spend: cost,
  Currency: string,
});
const loaded = object({
  ...{ FileId: id, Rows: integer, From: string, To: string, Spend: cost },
  ...{ Added: integer, Replaced: integer, Unchanged: integer, Gone: integer, Change: cost },
});

const fileQuery = partial({
  name: { ...text(200), default: '' },
  rate: {
    type: 'string',
    pattern: '^\\d{1,6}(\\.\\d{1,10})?$',
    description: 'One of the file’s currency in the own one; none for a file in that.',
  },
  shift: { type: 'boolean', default: false, description: 'Moves all days so that the newest is yesterday.' },
  preview: {
    type: 'boolean',
    default: false,
    description: 'Says what would change, and keeps the file for a day, to be loaded.',
  },
});

/**
 * Adds the routes of the usage of the cloud platform (document 2, usage report): the report, its filters, and loading
 * files of charges.
 */
export function addUsageRoutes(app: App, { db, now }: Parts): void {
  const common = { tags: ['usage'], needs: view('customers') };
  const route = routeAdder(app, db, common);
  const base = '/api/customers/:customerId/usage';

  route(`GET ${base}/subscriptions`, { reply: choices }, async ({ caller, params }) =>
    listSubscriptions(db, await customerIdOf(db, caller, params.customerId)),
  );

  const ofSubscription = { query: partial({ subscription }), reply: choices };
  route(`GET ${base}/resource-groups`, ofSubscription, async ({ caller, params, query }) =>
    listGroups(db, await customerIdOf(db, caller, params.customerId), query.subscription),
  );

  route(`GET ${base}`, { query: reportQuery, reply: report }, async ({ caller, params, query }) => ({
    ...(await readUsage(db, await customerIdOf(db, caller, params.customerId), query, now())),
    Currency: caller.currency,
  }));

  route(`POST ${base}/files/:fileId/undo`, { needs: loads }, async ({ caller, params: path }) => {
    await undoFile({ db, caller, path, now: now() });
    return 'The file was taken back.';
  });

  route(`POST ${base}/files/:fileId/load`, { needs: loads }, async ({ caller, params: path }) => {
    await loadWaiting({ db, caller, path, now: now() }, { asShown: true });
    return 'The file was loaded.';
  });

  addResourceRoutes(app, { db, now }, usageFileSums);

  app.register(async (files: App) => {
    // Streamed: a file may be larger than what is held in memory. Nothing else is one.
    files.removeContentTypeParser('application/json');
    files.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
    routeAdder(files, db, { ...common, needs: loads })(
      `POST ${base}/files`,
      { consumes: ['text/csv'], query: fileQuery, reply: loaded, bodyLimit: 4 * 1024 ** 3 },
      async ({ caller, params, query, body }) => {
        const owner = await customerIdOf(db, caller, params.customerId);
        const file = body instanceof Readable ? body : Readable.from([]);
        return loadFile({ db, caller, now: now() }, owner, file, { ...query, currency: caller.currency });
      },
    );
  });
}
