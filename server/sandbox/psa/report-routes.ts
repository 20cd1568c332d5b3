import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, integer, list, money, object, partial, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import { type PsaFlags, permitted } from './connection.ts';
import {
  describeMonth,
  findMonth,
  freshenMonth,
  freshenReconciliation,
  listMovementMonths,
  moreThan,
  type ReportQuery,
  readRows,
  reconciliation,
  reportRow,
  selectRow,
  spanOf,
} from './report.ts';
import { counts, fileQuery, months, rowsQuery, selection, wrapped } from './shapes.ts';
import { withStatus } from './sync.ts';

const movementRow = fields('r', [
  ...reportRow,
  { name: 'service', column: 'name' },
  { name: 'quantityBefore', shape: integer, column: 'compared_with' },
  { name: 'quantityAfter', shape: integer, column: 'quantity' },
  { name: 'change', shape: integer, column: moreThan },
  { name: 'priceChange', shape: money, column: 'price_change', isNumber: true },
]);
const reconciliationRow = fields('r', [
  ...reportRow,
  { name: 'service', column: 'name' },
  { name: 'quantity', shape: integer },
  { name: 'psaQuantity', shape: integer, column: 'compared_with' },
  { name: 'difference', shape: integer, column: moreThan },
]);
const movement = wrapped(
  object({ results: list(movementRow.schema), reportStartDate: date, reportEndDate: date, total: integer, counts }),
);
const compared = wrapped(object({ results: list(reconciliationRow.schema), total: integer, counts }));

/** Rows of one file at most. */
const mostRows = 100_000;

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');

/**
 * Adds the routes of the reports of product movement and reconciliation, for accounts with the flag PSA-V2: each at the
 * address of the new service and of the monolith (document 2, section 7).
 */
export function addPsaReportRoutes(app: App, { db, psaCopies: copies, now }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['psa'],
    needs: view('pSA'),
    async permit({ caller, isPlatform }) {
      const flags = await permitted(db, caller, isPlatform);
      if (!flags.hasReports) throw notPermitted();
      return flags;
    },
  });
  const monthAt = async (caller: Caller, wanted: string) =>
    findMonth(await listMovementMonths(db, caller, now()), wanted);

  route(
    ['GET /api/product-movement-report/date-range', '/api/integration/GetProductMovementDateRange'],
    { reply: months },
    async ({ caller }) => withStatus(db, caller, (await listMovementMonths(db, caller, now())).map(describeMonth)),
  );

  /** Rows of the product movement of a month, brought up to date first. */
  const readMovement = async (caller: Caller, month: string, query: ReportQuery) => {
    const report = { kind: 'movement', month } as const;
    await freshenMonth(db, caller, report, { isAsked: false, now });
    return readRows(db, caller, report, query, movementRow);
  };
  /** Rows of the reconciliation, brought up to date first. */
  const readReconciliation = async (caller: Caller, { isCached }: PsaFlags, query: ReportQuery) => {
    const copy = () => copies.freshen(caller, 'contracts', isCached);
    await freshenReconciliation(db, caller, { isAsked: false, now, copy });
    return readRows(db, caller, reconciliation, query, reconciliationRow);
  };

  route(
    ['GET /api/product-movement-report/:date', '/api/integration/ProductMovementReportActions/:date'],
    { query: rowsQuery, reply: movement },
    async ({ caller, params, query }) => {
      const month = await monthAt(caller, params.date);
      const found = await readMovement(caller, month, query);
      const { start: reportStartDate, end: reportEndDate } = spanOf(month);
      return withStatus(db, caller, { ...found, reportStartDate, reportEndDate });
    },
  );
  for (const paths of [
    ['GET /api/product-movement-report/:date/csv', '/api/integration/ProductMovementReport/Csv/:date'],
    ['GET /billing/product-movement/:date/download', '/api/billing/product-movement/:date/download'],
  ] as const)
    route(paths, { query: fileQuery, file: 'text/csv' }, async ({ caller, params, query }) => {
      const month = await monthAt(caller, params.date);
      const { results } = await readMovement(caller, month, { ...query, page: 1, pageSize: mostRows });
      const price = `Change per month (${caller.currency})`;
      return {
        name: `Product movement ${month}`,
        rows: [
          ['Customer', 'Service', 'Before', 'After', 'Change', price, 'Selected'],
          ...results.map(({ cmCustomer, service, quantityBefore, quantityAfter, change, priceChange, selected }) => [
            cmCustomer.name,
            service,
            quantityBefore,
            quantityAfter,
            change,
            priceChange,
            yesNo(selected),
          ]),
        ],
      };
    });

  route(
    ['GET /api/reconciliation-report', '/api/integration/ReconciliationReportActions'],
    { query: rowsQuery, reply: compared },
    async ({ caller, permitted: flags, query }) => {
      return withStatus(db, caller, await readReconciliation(caller, flags, query));
    },
  );
  route(
    ['GET /api/reconciliation-report/csv', '/api/integration/ReconciliationReport/Csv'],
    { query: fileQuery, file: 'text/csv' },
    async ({ caller, permitted: flags, query }) => {
      const { results } = await readReconciliation(caller, flags, { ...query, page: 1, pageSize: mostRows });
      return {
        name: 'Reconciliation',
        rows: [
          ['Customer', 'Service', 'In this portal', 'In the contracts', 'Difference', 'Selected'],
          ...results.map(({ cmCustomer, service, quantity, psaQuantity, difference, selected }) => [
            cmCustomer.name,
            service,
            quantity,
            psaQuantity,
            difference,
            yesNo(selected),
          ]),
        ],
      };
    },
  );

  route(
    ['POST /api/product-movement-report', '/api/integration/UpdateProductMovementReport'],
    { body: selection },
    ({ caller, body }) => selectRow(db, caller, 'movement', body),
  );
  route(
    ['POST /api/reconciliation-report', '/api/integration/UpdateReconciliationReport'],
    { body: selection },
    ({ caller, body }) => selectRow(db, caller, 'reconciliation', body),
  );

  const wanted = partial({ date: text(10) });
  route('POST /api/product-movement-report/refresh', { query: wanted }, async ({ caller, query }) => {
    const month = await monthAt(caller, query.date ?? 'latest');
    await freshenMonth(db, caller, { kind: 'movement', month }, { isAsked: true, now });
  });
  route('POST /api/reconciliation-report/refresh', {}, ({ caller }) =>
    freshenReconciliation(db, caller, { isAsked: true, now, copy: () => copies.read(caller, 'contracts') }),
  );
}
