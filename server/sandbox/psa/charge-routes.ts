import type { FastifyRequest } from 'fastify';
import { view } from '../auth/needs.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, id, integer, list, money, object, params, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { permitted } from './connection.ts';
import {
  describeMonth,
  findMonth,
  freshenMonth,
  listChargedMonths,
  type Report,
  type ReportQuery,
  readRows,
  selectRow,
} from './report.ts';
import { cmCustomer, counts, months, rowsQuery, selection, wrapped } from './shapes.ts';
import { syncStatusOf } from './sync.ts';

const row = object({ id, selected: boolean, cmCustomer, subscription: string, charge: money });
const charges = wrapped(
  object({ results: list(row), reportStartDate: date, reportEndDate: date, total: integer, counts }),
);
const base = '/api/azure-charges';
const tags = ['psa'];
const config = { needs: view('pSA') };
/** How many months back there are charges. */
const monthsBack = 12;

/**
 * Adds the routes of what customers are charged for the cloud platform, by month and subscription. Only accounts on the
 * new service have them (see `onlyNew`).
 */
export function addPsaChargeRoutes(app: App, { db, now }: Parts): void {
  const permit = ({ signedIn }: FastifyRequest) => permitted(db, signedIn, true);
  const monthsFor = ({ signedIn }: FastifyRequest, back = monthsBack) => listChargedMonths(db, signedIn, now(), back);
  const reportAt = async (request: FastifyRequest, wanted: string): Promise<Report> => ({
    kind: 'charges',
    month: findMonth(await monthsFor(request), wanted),
  });
  const statusOf = async ({ signedIn }: FastifyRequest) => ({ status: await syncStatusOf(db, signedIn) });

  app.get(
    `${base}/date-range/:months`,
    { config, schema: { tags, params: params('months'), response: replies(months) } },
    async request => {
      await permit(request);
      const back = Math.min(monthsBack, Math.max(1, Number(request.params.months) || 1));
      const response = (await monthsFor(request, back)).map(describeMonth);
      return succeed({ response, synchronization: await statusOf(request) });
    },
  );

  app.get(
    `${base}/:date`,
    { config, schema: { tags, params: params('date'), querystring: rowsQuery, response: replies(charges) } },
    async request => {
      await permit(request);
      const { signedIn } = request;
      const report = await reportAt(request, request.params.date);
      await freshenMonth(db, signedIn, report, { isAsked: false, now });
      const { rows, ...found } = await readRows(db, signedIn, report, request.query as ReportQuery);
      const results = rows.map(({ id, selected, cmCustomer, service, priceChange }) => ({
        id,
        selected,
        cmCustomer,
        subscription: service,
        charge: priceChange,
      }));
      const { start: reportStartDate, end: reportEndDate } = describeMonth(report.month);
      return succeed({
        response: { results, reportStartDate, reportEndDate, ...found },
        synchronization: await statusOf(request),
      });
    },
  );

  app.post(
    `${base}/:date/refresh`,
    { config, schema: { tags, params: params('date'), response: replies() } },
    async request => {
      await permit(request);
      const report = await reportAt(request, request.params.date);
      await freshenMonth(db, request.signedIn, report, { isAsked: true, now });
      return done();
    },
  );
  app.post(`${base}/refresh`, { config, schema: { tags, response: replies() } }, async request => {
    await permit(request);
    for (const month of await monthsFor(request))
      await freshenMonth(db, request.signedIn, { kind: 'charges', month }, { isAsked: true, now });
    return done();
  });
  app.post(base, { config, schema: { tags, body: selection, response: replies() } }, async request => {
    await permit(request);
    const given = request.body as { Id: string; Selected: 'yes' | 'no' };
    await db.transaction().execute(trx => selectRow(trx, request.signedIn, 'charges', given));
    return done();
  });
}
