import type { FastifyRequest } from 'fastify';
import { customerIdOf } from '../customers/scope.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, pageQuery, params, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { listCustomerChanges, readChanges } from './changes.ts';
import {
  type Found,
  findDocument,
  type HistoryQuery,
  type ListQuery,
  latestInvoice,
  listDocuments,
  readAccountTotals,
  readBalance,
  readHistory,
  readTaxes,
} from './documents.ts';
import { type ExportQuery, exportVersions, listExport } from './export.ts';
import { exportQuery, exportReplies } from './export-shapes.ts';
import {
  findBilledCustomers,
  type GroupsQuery,
  type LinesQuery,
  listGroups,
  listLines,
  listOfCustomer,
  readLine,
} from './lines.ts';
import { partiesOf } from './parties.ts';
import { listPayments } from './payments.ts';
import { printDocument } from './pdf.ts';
import { permitReporting, seesBilling } from './permit.ts';
import { readBill, readDifference } from './pre-bills.ts';
import { listPrices, type PricingQuery, removePrice, setPrice } from './pricing.ts';
import * as shapes from './shapes.ts';
import type { DocumentKind } from './tables.ts';

const tags = ['billing'];
const config = { needs: seesBilling };

/** Lines of a PDF at most; of a longer invoice it has the sums by customer. */
const mostPrinted = 5000;
/** Sums that an invoice gives along. */
const mostGroups = 100;
/** The first page of what is asked for without a search, the largest sums first. */
const largest = { page: 1, search: '', sort: '-Amount' } as const;

type DocumentQuery = { readonly IsFilterByCustomer?: 'true' | 'false'; readonly externalInvoiceId?: string };

/** Where the reporting of the billing platform answers, and where the monolith does (document 2, section 7). */
const bases = ['/billing', '/api/billing'] as const;

/** Adds the routes of invoices, credit memos, their history and totals, and of the price list. */
export function addBillingRoutes(app: App, { db, now }: Parts): void {
  /** Refuses the new addresses to an account whose flag is off. */
  const permit = async ({ signedIn }: FastifyRequest, base: string) => {
    if (base === bases[0]) await permitReporting(db, signedIn.accountId);
  };

  for (const base of bases) {
    const latestPath = base === '/billing' ? '/billing/invoices/latest' : '/api/dashboard/getLatestInvoice';
    app.get(
      latestPath,
      { config, schema: { tags, response: replies({ ...shapes.latest, nullable: true }) } },
      async request => {
        await permit(request, base);
        return succeed((await latestInvoice(db, request.signedIn, now())) ?? null);
      },
    );
    app.get(
      `${base}/invoices/latest/summary`,
      { config, schema: { tags, response: replies(shapes.balance) } },
      async request => {
        await permit(request, base);
        return succeed(await readBalance(db, request.signedIn, now()));
      },
    );
    app.get(
      `${base}/account-totals`,
      { config, schema: { tags, querystring: shapes.totalsQuery, response: replies(shapes.accountTotals) } },
      async request => {
        await permit(request, base);
        return succeed(await readAccountTotals(db, request.signedIn, request.query));
      },
    );
    app.get(
      `${base}/history`,
      { config, schema: { tags, querystring: shapes.historyQuery, response: replies(shapes.history) } },
      async request => {
        await permit(request, base);
        return succeed(await readHistory(db, request.signedIn, request.query as HistoryQuery));
      },
    );
    app.get(
      `${base}/customers`,
      { config, schema: { tags, querystring: shapes.customersQuery, response: replies(shapes.billedCustomers) } },
      async request => {
        await permit(request, base);
        return succeed(await findBilledCustomers(db, request.signedIn, request.query));
      },
    );
    app.get(
      `${base}/customers/:customerId`,
      {
        config,
        schema: {
          tags,
          params: params('customerId'),
          querystring: pageQuery({}),
          response: replies(shapes.ofCustomer),
        },
      },
      async request => {
        await permit(request, base);
        const id = await customerIdOf(db, request.signedIn, request.params.customerId);
        const { organisation_id } = await db
          .selectFrom('customers')
          .select('organisation_id')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        return succeed(await listOfCustomer(db, request.signedIn, String(organisation_id), request.query));
      },
    );
    app.get(
      `${base}/pricing`,
      { config, schema: { tags, querystring: shapes.pricesQuery, response: replies(shapes.prices) } },
      async request => {
        await permit(request, base);
        return succeed(await listPrices(db, request.signedIn, request.query as PricingQuery));
      },
    );
    app.put(
      `${base}/pricing`,
      { config, schema: { tags, body: shapes.priceBody, response: replies() } },
      async request => {
        await permit(request, base);
        await setPrice(db, request.signedIn, request.body.Key, request.body.Price);
        return done();
      },
    );
    app.delete(
      `${base}/pricing/:key`,
      { config, schema: { tags, params: params('key'), response: replies() } },
      async request => {
        await permit(request, base);
        await removePrice(db, request.signedIn, request.params.key);
        return done();
      },
    );
    addBillRoutes(base);
    addDocumentRoutes(base, 'invoices', 'Invoice');
    addDocumentRoutes(base, 'creditmemos', 'CreditMemo');
  }

  /** What a month was expected to cost, what it did cost, and how they differ, by the day of its invoice. */
  function addBillRoutes(base: string): void {
    for (const [name, side] of [
      ['pre-bill', 'pre'],
      ['post-bill', 'post'],
    ] as const) {
      app.get(
        `${base}/invoices/${name}`,
        { config, schema: { tags, querystring: shapes.billQuery, response: replies(shapes.billLines) } },
        async request => {
          await permit(request, base);
          return succeed(await readBill(db, request.signedIn, side, request.query));
        },
      );
    }
    app.get(
      `${base}/invoices/bill-difference`,
      { config, schema: { tags, querystring: shapes.differenceQuery, response: replies(shapes.billDifference) } },
      async request => {
        await permit(request, base);
        return succeed(await readDifference(db, request.signedIn, request.query));
      },
    );
  }

  function addDocumentRoutes(base: string, name: string, kind: DocumentKind): void {
    const parameter = kind === 'Invoice' ? 'documentId' : 'memoId';
    const find = async (request: FastifyRequest, externalInvoiceId?: string): Promise<Found> => {
      await permit(request, base);
      const { [parameter]: id = '' } = request.params as Record<string, string>;
      return await findDocument(db, request.signedIn, kind, id, now(), externalInvoiceId);
    };
    app.get(
      `${base}/${name}`,
      { config, schema: { tags, querystring: shapes.listQuery, response: replies(shapes.documentList) } },
      async request => {
        await permit(request, base);
        return succeed(await listDocuments(db, request.signedIn, kind, request.query as ListQuery, now()));
      },
    );
    const byId = params(parameter);
    const path = `${base}/${name}/:${parameter}`;
    app.get(
      path,
      {
        config,
        schema: { tags, params: byId, querystring: shapes.documentQuery, response: replies(shapes.document) },
      },
      async request => {
        const { IsFilterByCustomer, externalInvoiceId } = request.query as DocumentQuery;
        const found = await find(request, externalInvoiceId);
        const taxes = await readTaxes(db, found.id);
        const Taxes = taxes.map(tax => ({ ...tax, Currency: found.Currency }));
        const by = IsFilterByCustomer && ({ true: 'customer', false: 'service' } as const)[IsFilterByCustomer];
        const groups = by && (await listGroups(db, found, { ...largest, by, pageSize: mostGroups }));
        return succeed({ ...found, Taxes, Groups: groups?.Items ?? null, ...partiesOf(request.signedIn) });
      },
    );
    app.get(
      `${path}/lines`,
      { config, schema: { tags, params: byId, querystring: shapes.linesQuery, response: replies(shapes.lineList) } },
      async request => succeed(await listLines(db, await find(request), request.query as LinesQuery)),
    );
    app.get(
      `${path}/download`,
      {
        config,
        schema: { tags, params: byId, response: { 200: { content: { 'application/pdf': { schema: string } } } } },
      },
      async (request, reply) => {
        const found = await find(request);
        const all = { ...largest, pageSize: mostPrinted };
        const { Items: customers } = await listGroups(db, found, { ...all, by: 'customer' });
        const lines = found.Lines > mostPrinted ? [] : (await listLines(db, found, all)).Items;
        const taxes = await readTaxes(db, found.id);
        const parties = partiesOf(request.signedIn);
        const payments = (await listPayments(db, found.id)).filter(({ Status }) => Status === 'Paid');
        const pdf = await printDocument({ head: found, parties, taxes, customers, lines, payments });
        return reply
          .header('content-disposition', `attachment; filename="${found.Id}.pdf"`)
          .type('application/pdf')
          .send(Buffer.from(pdf));
      },
    );
    if (kind !== 'Invoice') return;
    for (const version of exportVersions)
      app.get(
        `${path}/exports/${version}`,
        {
          config,
          schema: {
            ...{ tags, summary: `The charges of an invoice to be exported, ${version}.` },
            ...{ params: byId, querystring: exportQuery, response: replies(exportReplies[version]) },
          },
        },
        async request => succeed(await listExport(db, await find(request), version, request.query as ExportQuery)),
      );
    app.get(
      `${path}/payments`,
      { config, schema: { tags, params: byId, response: replies(shapes.paymentList) } },
      async request => {
        const Items = await listPayments(db, (await find(request)).id);
        return succeed({ Items, Total: Items.length });
      },
    );
    app.get(
      `${path}/lines/:lineId`,
      { config, schema: { tags, params: params(parameter, 'lineId'), response: replies(shapes.lineDetails) } },
      async request => succeed(await readLine(db, await find(request), (request.params as { lineId: string }).lineId)),
    );
    app.get(
      `${path}/groups`,
      { config, schema: { tags, params: byId, querystring: shapes.groupsQuery, response: replies(shapes.groupList) } },
      async request => succeed(await listGroups(db, await find(request), request.query as GroupsQuery)),
    );
    app.get(
      `${path}/changes`,
      { config, schema: { tags, params: byId, response: replies(shapes.changes) } },
      async request => succeed(await readChanges(db, await find(request))),
    );
    app.get(
      `${path}/changes/customers`,
      { config, schema: { tags, params: byId, querystring: pageQuery({}), response: replies(shapes.customerChanges) } },
      async request => succeed(await listCustomerChanges(db, await find(request), request.query)),
    );
  }
}
