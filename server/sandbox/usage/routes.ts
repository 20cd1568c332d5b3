import { Readable } from 'node:stream';
import { view } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, object, orNull, pageQuery, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { addResource } from '../resource/routes.ts';
import { cost, loads, loadWaiting, undoFile, usageFileSums } from './files.ts';
import { loadFile } from './load-file.ts';
import { groupings, listGroups, listSubscriptions, periods, readUsage } from './report.ts';

const quantity = { type: 'number', description: 'In the unit beside it.' } as const;
const choices = replies(list(object({ Text: string, Value: string })));
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

const query = <const P extends object>(properties: P) =>
  ({ type: 'object', additionalProperties: false, properties }) as const;
const subscription = { ...text(200), default: '' } as const;
const reportQuery = pageQuery(
  {
    subscription,
    resourceGroup: { ...text(200), default: '' },
    by: { enum: groupings, default: groupings[0] },
    days: { type: 'integer', enum: periods, default: periods[0] },
  },
  1000,
);
const fileQuery = query({
  name: { ...text(200), default: '' },
  rate: { type: 'string', pattern: '^\\d{1,6}(\\.\\d{1,10})?$', description: 'Of the file in the own currency.' },
  shift: { type: 'boolean', default: false, description: 'Moves all days so that the newest is yesterday.' },
  preview: {
    type: 'boolean',
    default: false,
    description: 'Says what would change, and keeps the file for a day, to be loaded.',
  },
});
const tags = ['usage'];
const reads = { needs: view('customers') };
const config = { needs: loads };
const oneCustomer = params('customerId');
const oneFile = params('customerId', 'fileId');

/**
 * Adds the routes of the usage of the cloud platform (document 2, usage report): the report, its filters, and loading
 * files of charges.
 */
export function addUsageRoutes(app: App, { db, now }: Parts): void {
  app.get(
    '/api/customers/:customerId/usage/subscriptions',
    { config: reads, schema: { tags, params: oneCustomer, response: choices } },
    async ({ signedIn, params: { customerId } }) =>
      succeed(await listSubscriptions(db, await customerIdOf(db, signedIn, customerId))),
  );

  app.get(
    '/api/customers/:customerId/usage/resource-groups',
    { config: reads, schema: { tags, params: oneCustomer, querystring: query({ subscription }), response: choices } },
    async ({ signedIn, params: { customerId }, query: { subscription } }) =>
      succeed(await listGroups(db, await customerIdOf(db, signedIn, customerId), subscription)),
  );

  app.get(
    '/api/customers/:customerId/usage',
    { config: reads, schema: { tags, params: oneCustomer, querystring: reportQuery, response: replies(report) } },
    async ({ signedIn, params: { customerId }, query }) => {
      const found = await readUsage(db, await customerIdOf(db, signedIn, customerId), query, now());
      return succeed({ ...found, Currency: signedIn.currency });
    },
  );

  app.post(
    '/api/customers/:customerId/usage/files/:fileId/undo',
    { config, schema: { tags, params: oneFile, response: replies() } },
    async ({ signedIn: caller, params: path }) => {
      await undoFile({ db, caller, path, now: now() });
      return done('The file was taken back.');
    },
  );

  app.post(
    '/api/customers/:customerId/usage/files/:fileId/load',
    { config, schema: { tags, params: oneFile, response: replies() } },
    async ({ signedIn: caller, params: path }) => {
      await loadWaiting({ db, caller, path, now: now() }, { asShown: true });
      return done('The file was loaded.');
    },
  );

  addResource(app, { db, now }, usageFileSums);

  app.register(async (files: App) => {
    // Streamed: a file may be larger than what is held in memory. Nothing else is one.
    files.removeContentTypeParser('application/json');
    files.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
    files.post(
      '/api/customers/:customerId/usage/files',
      {
        config,
        schema: {
          tags,
          consumes: ['text/csv'],
          params: oneCustomer,
          querystring: fileQuery,
          response: replies(loaded),
        },
        bodyLimit: 4 * 1024 ** 3,
      },
      async ({ signedIn, params: { customerId }, query, body }) => {
        const owner = await customerIdOf(db, signedIn, customerId);
        const file = body instanceof Readable ? body : Readable.from([]);
        const options = { ...query, currency: signedIn.currency };
        return succeed(await loadFile({ db, caller: signedIn, now: now() }, owner, file, options));
      },
    );
  });
}
