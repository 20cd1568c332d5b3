import type { FastifyRequest } from 'fastify';
import { view } from '../auth/needs.ts';
import { csvReply, sendCsv } from '../http/csv.ts';
import { notPermitted } from '../http/errors.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, id, integer, list, money, object, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { permitted } from './connection.ts';
import {
  describeMonth,
  findMonth,
  freshenMonth,
  freshenReconciliation,
  listMovementMonths,
  type ReportQuery,
  readRows,
  reconciliation,
  selectRow,
  spanOf,
} from './report.ts';
import { body, cmCustomer, counts, fileQuery, months, rowsQuery, selection, wrapped } from './shapes.ts';
import { syncStatusOf } from './sync.ts';

const movementRow = object({
  id,
  selected: boolean,
  cmCustomer,
  service: string,
  quantityBefore: integer,
  quantityAfter: integer,
  change: integer,
  priceChange: money,
});
const reconciliationRow = object({
  id,
  selected: boolean,
  cmCustomer,
  service: string,
  quantity: integer,
  psaQuantity: integer,
  difference: integer,
});
const movement = wrapped(
  object({ results: list(movementRow), reportStartDate: date, reportEndDate: date, total: integer, counts }),
);
const compared = wrapped(object({ results: list(reconciliationRow), total: integer, counts }));
const tags = ['psa'];
const config = { needs: view('pSA') };

/** Addresses of the same calls: of the new service, and of the monolith (document 2, section 7). */
const paths = {
  months: ['/api/product-movement-report/date-range', '/api/integration/GetProductMovementDateRange'],
  movement: ['/api/product-movement-report/:date', '/api/integration/ProductMovementReportActions/:date'],
  reconciliation: ['/api/reconciliation-report', '/api/integration/ReconciliationReportActions'],
  movementFile: ['/api/product-movement-report/:date/csv', '/api/integration/ProductMovementReport/Csv/:date'],
  reconciliationFile: ['/api/reconciliation-report/csv', '/api/integration/ReconciliationReport/Csv'],
} as const;
const updates = [
  ['movement', '/api/product-movement-report', '/api/integration/UpdateProductMovementReport'],
  ['reconciliation', '/api/reconciliation-report', '/api/integration/UpdateReconciliationReport'],
] as const;

/** Rows of one file at most. */
const mostRows = 100_000;

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');

/** Adds the routes of the reports of product movement and reconciliation, for accounts with the flag PSA-V2. */
export function addPsaReportRoutes(app: App, { db, psaCopies: copies, now }: Parts): void {
  const permit = async ({ signedIn }: FastifyRequest, isNew: boolean) => {
    const flags = await permitted(db, signedIn, isNew);
    if (!flags.hasReports) throw notPermitted();
    return flags;
  };
  const statusOf = async ({ signedIn }: FastifyRequest) => ({ status: await syncStatusOf(db, signedIn) });
  const monthAt = async ({ signedIn }: FastifyRequest, wanted: string) =>
    findMonth(await listMovementMonths(db, signedIn, now()), wanted);

  for (const [index, path] of paths.months.entries()) {
    app.get(path, { config, schema: { tags, response: replies(months) } }, async request => {
      await permit(request, index === 0);
      const response = (await listMovementMonths(db, request.signedIn, now())).map(describeMonth);
      return succeed({ response, synchronization: await statusOf(request) });
    });
  }

  /** Rows of the product movement of a month, brought up to date first. */
  const readMovement = async ({ signedIn }: FastifyRequest, month: string, query: ReportQuery) => {
    const report = { kind: 'movement', month } as const;
    await freshenMonth(db, signedIn, report, { isAsked: false, now });
    return readRows(db, signedIn, report, query);
  };
  /** Rows of the reconciliation, brought up to date first. */
  const readReconciliation = async ({ signedIn }: FastifyRequest, isCached: boolean, query: ReportQuery) => {
    const copy = () => copies.freshen(signedIn, 'contracts', isCached);
    await freshenReconciliation(db, signedIn, { isAsked: false, now, copy });
    return readRows(db, signedIn, reconciliation, query);
  };

  for (const [index, path] of paths.movement.entries()) {
    app.get(
      path,
      { config, schema: { tags, params: params('date'), querystring: rowsQuery, response: replies(movement) } },
      async request => {
        await permit(request, index === 0);
        const month = await monthAt(request, request.params.date);
        const { rows, ...found } = await readMovement(request, month, request.query as ReportQuery);
        const results = rows.map(({ quantity, comparedWith, ...row }) => ({
          ...row,
          quantityBefore: comparedWith,
          quantityAfter: quantity,
        }));
        const { start: reportStartDate, end: reportEndDate } = spanOf(month);
        return succeed({
          response: { results, reportStartDate, reportEndDate, ...found },
          synchronization: await statusOf(request),
        });
      },
    );
  }
  for (const [index, path] of paths.movementFile.entries()) {
    app.get(
      path,
      { config, schema: { tags, params: params('date'), querystring: fileQuery, response: csvReply } },
      async (request, reply) => {
        await permit(request, index === 0);
        const month = await monthAt(request, request.params.date);
        const { rows } = await readMovement(request, month, { ...request.query, page: 1, pageSize: mostRows });
        const price = `Change per month (${request.signedIn.currency})`;
        return sendCsv(reply, `Product movement ${month}`, [
          ['Customer', 'Service', 'Before', 'After', 'Change', price, 'Selected'],
          ...rows.map(row => [
            row.cmCustomer.name,
            row.service,
            row.comparedWith,
            row.quantity,
            row.change,
            row.priceChange,
            yesNo(row.selected),
          ]),
        ]);
      },
    );
  }

  for (const [index, path] of paths.reconciliation.entries()) {
    app.get(path, { config, schema: { tags, querystring: rowsQuery, response: replies(compared) } }, async request => {
      const { isCached } = await permit(request, index === 0);
      const { rows, ...found } = await readReconciliation(request, isCached, request.query as ReportQuery);
      const results = rows.map(({ comparedWith, change, priceChange: _, ...row }) => ({
        ...row,
        psaQuantity: comparedWith,
        difference: change,
      }));
      return succeed({ response: { results, ...found }, synchronization: await statusOf(request) });
    });
  }
  for (const [index, path] of paths.reconciliationFile.entries()) {
    app.get(path, { config, schema: { tags, querystring: fileQuery, response: csvReply } }, async (request, reply) => {
      const { isCached } = await permit(request, index === 0);
      const { rows } = await readReconciliation(request, isCached, { ...request.query, page: 1, pageSize: mostRows });
      return sendCsv(reply, 'Reconciliation', [
        ['Customer', 'Service', 'In this portal', 'In the contracts', 'Difference', 'Selected'],
        ...rows.map(row => [
          row.cmCustomer.name,
          row.service,
          row.quantity,
          row.comparedWith,
          row.change,
          yesNo(row.selected),
        ]),
      ]);
    });
  }

  for (const [kind, ...addresses] of updates) {
    for (const [index, path] of addresses.entries()) {
      app.post(path, { config, schema: { tags, body: selection, response: replies() } }, async request => {
        await permit(request, index === 0);
        const given = request.body as { Id: string; Selected: 'yes' | 'no' };
        await db.transaction().execute(trx => selectRow(trx, request.signedIn, kind, given));
        return done();
      });
    }
  }

  const refreshQuery = body({ date: text(10) }, []);
  app.post(
    '/api/product-movement-report/refresh',
    { config, schema: { tags, querystring: refreshQuery, response: replies() } },
    async request => {
      await permit(request, true);
      const { date: wanted = 'latest' } = request.query as { date?: string };
      const month = await monthAt(request, wanted);
      await freshenMonth(db, request.signedIn, { kind: 'movement', month }, { isAsked: true, now });
      return done();
    },
  );
  app.post('/api/reconciliation-report/refresh', { config, schema: { tags, response: replies() } }, async request => {
    await permit(request, true);
    const { signedIn } = request;
    const copy = () => copies.read(signedIn, 'contracts');
    await freshenReconciliation(db, signedIn, { isAsked: true, now, copy });
    return done();
  });
}
