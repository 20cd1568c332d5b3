import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, integer, list, money, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import { permitted } from './connection.ts';
import {
  describeMonth,
  findMonth,
  freshenMonth,
  listChargedMonths,
  type Report,
  readRows,
  reportRow,
  selectRow,
} from './report.ts';
import { counts, months, rowsQuery, selection, wrapped } from './shapes.ts';
import { withStatus } from './sync.ts';

const row = fields('r', [
  ...reportRow,
  { name: 'subscription', column: 'name' },
  { name: 'charge', shape: money, column: 'price_change', isNumber: true },
]);
const charges = wrapped(
  object({ results: list(row.schema), reportStartDate: date, reportEndDate: date, total: integer, counts }),
);
const base = '/api/azure-charges';
/** How many months back there are charges. */
const monthsBack = 12;

/**
 * Adds the routes of what customers are charged for the cloud platform, by month and subscription. Only accounts on the
 * new service have them (see `onlyNew`).
 */
export function addPsaChargeRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['psa'],
    needs: view('pSA'),
    permit: ({ caller }) => permitted(db, caller, true),
  });
  const monthsFor = (caller: Caller, back = monthsBack) => listChargedMonths(db, caller, now(), back);
  const reportAt = async (caller: Caller, wanted: string): Promise<Report> => ({
    kind: 'charges',
    month: findMonth(await monthsFor(caller), wanted),
  });

  route(`GET ${base}/date-range/:months`, { reply: months }, async ({ caller, params }) => {
    const back = Math.min(monthsBack, Math.max(1, Number(params.months) || 1));
    return withStatus(db, caller, (await monthsFor(caller, back)).map(describeMonth));
  });

  route(`GET ${base}/:date`, { query: rowsQuery, reply: charges }, async ({ caller, params, query }) => {
    const report = await reportAt(caller, params.date);
    await freshenMonth(db, caller, report, { isAsked: false, now });
    const found = await readRows(db, caller, report, query, row);
    const { start: reportStartDate, end: reportEndDate } = describeMonth(report.month);
    return withStatus(db, caller, { ...found, reportStartDate, reportEndDate });
  });

  route(`POST ${base}/:date/refresh`, {}, async ({ caller, params }) => {
    await freshenMonth(db, caller, await reportAt(caller, params.date), { isAsked: true, now });
  });
  route(`POST ${base}/refresh`, {}, async ({ caller }) => {
    for (const month of await monthsFor(caller))
      await freshenMonth(db, caller, { kind: 'charges', month }, { isAsked: true, now });
  });
  route(`POST ${base}`, { body: selection }, ({ caller, body }) => selectRow(db, caller, 'charges', body));
}
