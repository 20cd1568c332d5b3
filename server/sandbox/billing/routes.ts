import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { Need } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { route } from '../http/route.ts';
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

/** Lines of a PDF at most; of a longer invoice it has the sums by customer. */
const mostPrinted = 5000;
/** Sums that an invoice gives along. */
const mostGroups = 100;
/** The first page of what is asked for without a search, the largest sums first. */
const largest = { page: 1, search: '', sort: '-Amount' } as const;

type DocumentQuery = { readonly IsFilterByCustomer?: 'true' | 'false'; readonly externalInvoiceId?: string };

/** Where the reporting of the billing platform answers, and where the monolith does (document 2, section 7). */
const bases = ['/billing', '/api/billing'] as const;

/** The part of a route's shape that all routes of an address have in common. */
type Shared = {
  readonly needs: Need;
  readonly tags: readonly string[];
  readonly permit?: (request: FastifyRequest) => Promise<void>;
};

/** Adds the routes of invoices, credit memos, their history and totals, and of the price list. */
export function addBillingRoutes(app: App, { db, now }: Parts): void {
  for (const base of bases) {
    const shape = {
      needs: seesBilling,
      tags: ['billing'],
      // The new addresses are refused to an account whose flag is off.
      ...(base === '/billing' && {
        permit: ({ signedIn }: FastifyRequest) => permitReporting(db, signedIn.accountId),
      }),
    };
    const latestPath = base === '/billing' ? '/billing/invoices/latest' : '/api/dashboard/getLatestInvoice';
    route(app, 'GET', latestPath, { ...shape, reply: { ...shapes.latest, nullable: true } }, async ({ caller }) => {
      return (await latestInvoice(db, caller, now())) ?? null;
    });
    route(app, 'GET', `${base}/invoices/latest/summary`, { ...shape, reply: shapes.balance }, ({ caller }) =>
      readBalance(db, caller, now()),
    );
    const totals = { ...shape, query: shapes.totalsQuery, reply: shapes.accountTotals };
    route(app, 'GET', `${base}/account-totals`, totals, ({ caller, query }) => readAccountTotals(db, caller, query));
    const history = { ...shape, query: shapes.historyQuery, reply: shapes.history };
    route(app, 'GET', `${base}/history`, history, ({ caller, query }) =>
      readHistory(db, caller, query as HistoryQuery),
    );
    const billed = { ...shape, query: shapes.customersQuery, reply: shapes.billedCustomers };
    route(app, 'GET', `${base}/customers`, billed, ({ caller, query }) => findBilledCustomers(db, caller, query));
    const ofCustomer = { ...shape, query: pageQuery({}), reply: shapes.ofCustomer };
    route(app, 'GET', `${base}/customers/:customerId`, ofCustomer, async ({ caller, params, query }) => {
      const id = await customerIdOf(db, caller, params.customerId);
      const { organisation_id } = await db
        .selectFrom('customers')
        .select('organisation_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return await listOfCustomer(db, caller, String(organisation_id), query);
    });
    const prices = { ...shape, query: shapes.pricesQuery, reply: shapes.prices };
    route(app, 'GET', `${base}/pricing`, prices, ({ caller, query }) => listPrices(db, caller, query as PricingQuery));
    route(app, 'PUT', `${base}/pricing`, { ...shape, body: shapes.priceBody }, ({ caller, body }) =>
      setPrice(db, caller, body.Key, body.Price),
    );
    route(app, 'DELETE', `${base}/pricing/:key`, shape, ({ caller, params }) => removePrice(db, caller, params.key));
    addBillRoutes(base, shape);
    addDocumentRoutes(base, shape, 'invoices', 'Invoice');
    addDocumentRoutes(base, shape, 'creditmemos', 'CreditMemo');
  }

  /** What a month was expected to cost, what it did cost, and how they differ, by the day of its invoice. */
  function addBillRoutes(base: string, shape: Shared): void {
    for (const [name, side] of [
      ['pre-bill', 'pre'],
      ['post-bill', 'post'],
    ] as const) {
      const bill = { ...shape, query: shapes.billQuery, reply: shapes.billLines };
      route(app, 'GET', `${base}/invoices/${name}`, bill, ({ caller, query }) => readBill(db, caller, side, query));
    }
    const difference = { ...shape, query: shapes.differenceQuery, reply: shapes.billDifference };
    route(app, 'GET', `${base}/invoices/bill-difference`, difference, ({ caller, query }) =>
      readDifference(db, caller, query),
    );
  }

  function addDocumentRoutes(base: string, shape: Shared, name: string, kind: DocumentKind): void {
    const parameter = kind === 'Invoice' ? 'documentId' : 'memoId';
    type OfDocument = { readonly caller: Caller; readonly params: Readonly<Record<string, string>> };
    const find = ({ caller, params }: OfDocument, externalInvoiceId?: string): Promise<Found> =>
      findDocument(db, caller, kind, params[parameter] ?? '', now(), externalInvoiceId);
    const list = { ...shape, query: shapes.listQuery, reply: shapes.documentList };
    route(app, 'GET', `${base}/${name}`, list, ({ caller, query }) =>
      listDocuments(db, caller, kind, query as ListQuery, now()),
    );
    const path: string = `${base}/${name}/:${parameter}`;
    const one = { ...shape, query: shapes.documentQuery, reply: shapes.document };
    route(app, 'GET', path, one, async asked => {
      const { IsFilterByCustomer, externalInvoiceId } = asked.query as DocumentQuery;
      const found = await find(asked, externalInvoiceId);
      const taxes = await readTaxes(db, found.id);
      const Taxes = taxes.map(tax => ({ ...tax, Currency: found.Currency }));
      const by = IsFilterByCustomer && ({ true: 'customer', false: 'service' } as const)[IsFilterByCustomer];
      const groups = by && (await listGroups(db, found, { ...largest, by, pageSize: mostGroups }));
      return { ...found, Taxes, Groups: groups?.Items ?? null, ...partiesOf(asked.caller) };
    });
    const lines = { ...shape, query: shapes.linesQuery, reply: shapes.lineList };
    route(app, 'GET', `${path}/lines`, lines, async asked =>
      listLines(db, await find(asked), asked.query as LinesQuery),
    );
    app.get(
      `${path}/download`,
      {
        config: { needs: seesBilling },
        ...(shape.permit && { preHandler: shape.permit }),
        schema: {
          tags: ['billing'],
          params: params(parameter),
          response: { 200: { content: { 'application/pdf': { schema: string } } } },
        },
      },
      async ({ signedIn, params }, reply) => {
        const found = await find({ caller: signedIn, params: params as Readonly<Record<string, string>> });
        const all = { ...largest, pageSize: mostPrinted };
        const { Items: customers } = await listGroups(db, found, { ...all, by: 'customer' });
        const lines = found.Lines > mostPrinted ? [] : (await listLines(db, found, all)).Items;
        const taxes = await readTaxes(db, found.id);
        const parties = partiesOf(signedIn);
        const payments = (await listPayments(db, found.id)).filter(({ Status }) => Status === 'Paid');
        const pdf = await printDocument({ head: found, parties, taxes, customers, lines, payments });
        return reply
          .header('content-disposition', `attachment; filename="${found.Id}.pdf"`)
          .type('application/pdf')
          .send(Buffer.from(pdf));
      },
    );
    if (kind !== 'Invoice') return;
    for (const version of exportVersions) {
      const summary = `The charges of an invoice to be exported, ${version}.`;
      const exported = { ...shape, summary, query: exportQuery, reply: exportReplies[version] };
      route(app, 'GET', `${path}/exports/${version}`, exported, async asked =>
        listExport(db, await find(asked), version, asked.query as ExportQuery),
      );
    }
    route(app, 'GET', `${path}/payments`, { ...shape, reply: shapes.paymentList }, async asked => {
      const Items = await listPayments(db, (await find(asked)).id);
      return { Items, Total: Items.length };
    });
    route(app, 'GET', `${path}/lines/:lineId`, { ...shape, reply: shapes.lineDetails }, async asked =>
      readLine(db, await find(asked), asked.params.lineId!),
    );
    const groups = { ...shape, query: shapes.groupsQuery, reply: shapes.groupList };
    route(app, 'GET', `${path}/groups`, groups, async asked =>
      listGroups(db, await find(asked), asked.query as GroupsQuery),
    );
    route(app, 'GET', `${path}/changes`, { ...shape, reply: shapes.changes }, async asked =>
      readChanges(db, await find(asked)),
    );
    const changed = { ...shape, query: pageQuery({}), reply: shapes.customerChanges };
    route(app, 'GET', `${path}/changes/customers`, changed, async asked =>
      listCustomerChanges(db, await find(asked), asked.query),
    );
  }
}
