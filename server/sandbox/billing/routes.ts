import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { routeAdder } from '../http/route.ts';
import { type App, pageQuery } from '../http/schema.ts';
import { printedBrandOf } from '../outbox/branded.ts';
import type { Parts } from '../parts.ts';
import { changes, customerChanges, listCustomerChanges, readInvoiceChanges } from './changes.ts';
import {
  accountTotals,
  balance,
  documentList,
  findDocument,
  head,
  latestInvoice,
  listDocuments,
  listQuery,
  readAccountTotals,
  readBalance,
  readTaxes,
  totalsQuery,
} from './documents.ts';
import { exportQuery, exportReplies, exportVersions, listExport } from './export.ts';
import { history, historyQuery, readHistory } from './history.ts';
import {
  billedCustomers,
  customersQuery,
  findBilledCustomers,
  groupList,
  groupsQuery,
  lineDetails,
  lineList,
  linesQuery,
  listGroups,
  listLines,
  listOfCustomer,
  ofCustomer,
  readLine,
} from './lines.ts';
import { partiesOf } from './parties.ts';
import { listPayments } from './payments.ts';
import { printDocument } from './pdf.ts';
import { permitReporting, seesBilling } from './permit.ts';
import { billDifference, billLines, billQuery, differenceQuery, readBill, readDifference } from './pre-bills.ts';
import { listPrices, prices, pricesQuery, removePrice, setPrice } from './pricing.ts';
import * as shapes from './shapes.ts';

/** Lines of a PDF at most; of a longer invoice it has the sums by customer. */
const mostPrinted = 5000;
/** Sums that an invoice gives along. */
const mostGroups = 100;
/** The first page of what is asked for without a search, the largest sums first. */
const largest = { page: 1, search: '', sort: '-Amount' } as const;

/** The addresses of the billing platform's reporting, and of the monolith (document 2, section 7). */
const both = <M extends string, R extends string>(method: M, rest: R) =>
  [`${method} /billing${rest}`, `/api/billing${rest}`] as const;

/** Adds the routes of invoices, credit memos, their history and totals, and of the price list. */
export function addBillingRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['billing'],
    needs: seesBilling,
    // The new addresses are refused to an account whose flag is off.
    async permit({ caller, isPlatform }) {
      if (isPlatform) await permitReporting(db, caller.accountId);
    },
  });

  const latest = { ...head.schema, nullable: true };
  route(
    ['GET /billing/invoices/latest', '/api/dashboard/getLatestInvoice'],
    { reply: latest },
    async ({ caller }) => (await latestInvoice(db, caller, now())) ?? null,
  );
  route(both('GET', '/invoices/latest/summary'), { reply: balance }, ({ caller }) => readBalance(db, caller, now()));
  const totals = { query: totalsQuery, reply: accountTotals };
  route(both('GET', '/account-totals'), totals, ({ caller, query }) => readAccountTotals(db, caller, query));
  const happened = { query: historyQuery, reply: history };
  route(both('GET', '/history'), happened, ({ caller, query }) => readHistory(db, caller, query));
  const billed = { query: customersQuery, reply: billedCustomers };
  route(both('GET', '/customers'), billed, ({ caller, query }) => findBilledCustomers(db, caller, query));
  const costs = { query: pageQuery({}), reply: ofCustomer };
  route(both('GET', '/customers/:customerId'), costs, async ({ caller, params, query }) => {
    const id = await customerIdOf(db, caller, params.customerId);
    const { organisation_id } = await db
      .selectFrom('customers')
      .select('organisation_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return await listOfCustomer(db, caller, String(organisation_id), query);
  });
  const priced = { query: pricesQuery, reply: prices };
  route(both('GET', '/pricing'), priced, ({ caller, query }) => listPrices(db, caller, query));
  route(both('PUT', '/pricing'), { body: shapes.priceBody }, ({ caller, body }) =>
    setPrice(db, caller, body.Key, body.Price),
  );
  route(both('DELETE', '/pricing/:key'), {}, ({ caller, params }) => removePrice(db, caller, params.key));

  // What a month was expected to cost, what it did cost, and how they differ, by the day of its invoice.
  for (const side of ['pre', 'post'] as const) {
    const bill = { query: billQuery, reply: billLines };
    route(both('GET', `/invoices/${side}-bill`), bill, ({ caller, query }) => readBill(db, caller, side, query));
  }
  const difference = { query: differenceQuery, reply: billDifference };
  route(both('GET', '/invoices/bill-difference'), difference, ({ caller, query }) => readDifference(db, caller, query));

  type OfDocument = {
    readonly caller: Caller;
    readonly params: { readonly documentId?: string; readonly memoId?: string };
  };
  const find = ({ caller, params: { documentId, memoId = '' } }: OfDocument, externalInvoiceId?: string) =>
    documentId === undefined
      ? findDocument(db, caller, 'CreditMemo', memoId, now(), externalInvoiceId)
      : findDocument(db, caller, 'Invoice', documentId, now(), externalInvoiceId);

  for (const [name, kind] of [
    ['invoices', 'Invoice'],
    ['creditmemos', 'CreditMemo'],
  ] as const) {
    const path = kind === 'Invoice' ? '/invoices/:documentId' : '/creditmemos/:memoId';
    const list = { query: listQuery, reply: documentList };
    route(both('GET', `/${name}`), list, ({ caller, query }) => listDocuments(db, caller, kind, query, now()));
    const one = { query: shapes.documentQuery, reply: shapes.document };
    route(both('GET', path), one, async call => {
      const { IsFilterByCustomer, externalInvoiceId } = call.query;
      const found = await find(call, externalInvoiceId);
      const Taxes = await readTaxes(db, found.id);
      const by = IsFilterByCustomer && ({ true: 'customer', false: 'service' } as const)[IsFilterByCustomer];
      const groups = by && (await listGroups(db, found, { ...largest, by, pageSize: mostGroups }));
      return { ...found, Taxes, Groups: groups?.Items ?? null, ...(await partiesOf(db, call.caller, found.Issued)) };
    });
    const lines = { query: linesQuery, reply: lineList };
    route(both('GET', `${path}/lines`), lines, async call => listLines(db, await find(call), call.query));
    route(both('GET', `${path}/download`), { file: 'application/pdf' }, async call => {
      const found = await find(call);
      const all = { ...largest, pageSize: mostPrinted };
      const { Items: customers } = await listGroups(db, found, { ...all, by: 'customer' });
      const lines = found.Lines > mostPrinted ? [] : (await listLines(db, found, all)).Items;
      const taxes = await readTaxes(db, found.id);
      const parties = await partiesOf(db, call.caller, found.Issued);
      const payments = (await listPayments(db, found.id)).filter(({ Status }) => Status === 'Paid');
      const brand = await printedBrandOf(db, call.caller.resellerId);
      const content = await printDocument({ head: found, parties, taxes, customers, lines, payments, brand });
      return { name: found.Id, content };
    });
  }

  const invoice = '/invoices/:documentId';
  for (const version of exportVersions) {
    const summary = `The charges of an invoice to be exported, ${version}.`;
    const exported = { summary, query: exportQuery, reply: exportReplies[version] };
    route(both('GET', `${invoice}/exports/${version}`), exported, async call =>
      listExport(db, await find(call), version, call.query),
    );
  }
  route(both('GET', `${invoice}/payments`), { reply: shapes.paymentList }, async call => {
    const Items = await listPayments(db, (await find(call)).id);
    return { Items, Total: Items.length };
  });
  route(both('GET', `${invoice}/lines/:lineId`), { reply: lineDetails }, async call =>
    readLine(db, await find(call), call.params.lineId),
  );
  const summed = { query: groupsQuery, reply: groupList };
  route(both('GET', `${invoice}/groups`), summed, async call => listGroups(db, await find(call), call.query));
  route(both('GET', `${invoice}/changes`), { reply: changes }, async call => readInvoiceChanges(db, await find(call)));
  const changed = { query: pageQuery({}), reply: customerChanges };
  route(both('GET', `${invoice}/changes/customers`), changed, async call =>
    listCustomerChanges(db, await find(call), call.query),
  );
}
