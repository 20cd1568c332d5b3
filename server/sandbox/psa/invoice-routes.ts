import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Need } from '../auth/needs.ts';
import { type Found, findDocument } from '../billing/documents.ts';
import { csvReply, sendCsv } from '../http/csv.ts';
import { CloudError, notFound, notPermitted } from '../http/errors.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, money, object, orNull, pageQuery, params, string, text } from '../http/schema.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Parts } from '../parts.ts';
import { compareInvoice } from './compare-invoice.ts';
import { connectionOf, permitted } from './connection.ts';
import { readInvoiceInput } from './invoice-input.ts';
import { type ComparedRow, reasons, rowClasses } from './invoice-shapes.ts';
import { psaProducts } from './products.ts';
import { body } from './shapes.ts';
import { syncStatusOf } from './sync.ts';

const number = { type: 'number' } as const;
const day = { ...string, description: 'YYYY-MM-DD' } as const;
const rowClass = { ...string, enum: rowClasses } as const;
const reason = { ...string, enum: reasons } as const;
const row = {
  Id: id,
  Class: rowClass,
  OrganisationId: orNull(id),
  Customer: string,
  Service: string,
  Quantity: orNull(number),
  TheirQuantity: orNull(number),
  Here: money,
  There: money,
  Reason: orNull(reason),
  Currency: string,
} as const;
const comparison = object({
  System: string,
  Status: string,
  Net: money,
  Rest: money,
  NotCompared: { ...money, description: 'In the currency beside it: of what is not matched, or ignored.' },
  NotComparedRows: integer,
  Classes: list(
    object({ Class: rowClass, Rows: integer, Amount: money, There: money, Difference: money, Currency: string }),
  ),
  Counts: object(Object.fromEntries(['All', ...rowClasses].map(name => [name, integer]))),
  Items: list(object(row)),
  Total: integer,
  Currency: string,
});
const details = object({
  ...row,
  UnitPrice: orNull(money),
  TheirPrice: orNull(money),
  Difference: money,
  Rest: money,
  Explanations: list(
    object({
      Id: id,
      Reason: reason,
      Day: orNull(day),
      OrderNumber: orNull(string),
      By: orNull(string),
      Before: orNull(number),
      After: orNull(number),
      Amount: money,
      Currency: string,
    }),
  ),
});

const filters = { search: { ...text(200), default: '' }, class: { enum: rowClasses } } as const;
const tags = ['psa'];
/** Of a reseller, with both views: what an invoice says is no business of others. */
const seesBoth: Need = {
  label: 'view billing and view pSA, and to be of a reseller',
  isMet: ({ customerId, views }) => customerId === null && views.includes('billing') && views.includes('pSA'),
};
export const invoiceConfig = { needs: seesBoth };

/** Where the reporting of the billing platform answers, and where the monolith does. */
export const invoicePaths = ['/billing', '/api/billing'].map(base => `${base}/invoices/:documentId/reconciliation`);

/** Makes a short id for a row of an invoice's comparison from its long key, to be used in an address. */
export const rowIdOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 16);

type Filter = { readonly search: string; readonly class?: string | undefined };

/**
 * Finds the invoice of a request, for an account with the reports of an enabled business system.
 * @throws {CloudError} 403 without the flag, 404 for the invoice of somebody else, 409 without a business system
 */
export async function findInvoice(
  { db, now }: Parts,
  request: FastifyRequest,
): Promise<{ invoice: Found; isCached: boolean }> {
  const { signedIn } = request;
  if (request.url.startsWith('/billing')) {
    const flags = await flagsOf(db, signedIn.accountId);
    if (!flags.has('BillingPlatformReporting'))
      throw new CloudError(409, 'NotSupported', ['Billing platform reporting is switched off for this account.']);
  }
  const { hasReports, isCached } = await permitted(db, signedIn, false);
  if (!hasReports) throw notPermitted();
  const { documentId = '' } = request.params as { documentId?: string };
  return { invoice: await findDocument(db, signedIn, 'Invoice', documentId, now()), isCached };
}

/** What differs comes first, then what agrees, and last what is left out. */
const placeOf = (name: (typeof rowClasses)[number]): number => ['Matched', 'Ignored'].indexOf(name);

/** Adds the routes that compare an invoice with the business system. */
export function addInvoiceComparisonRoutes(app: App, parts: Parts): void {
  const { db, psaCopies: copies } = parts;

  const compare = async (request: FastifyRequest) => {
    const { invoice, isCached } = await findInvoice(parts, request);
    await copies.freshen(request.signedIn, 'contracts', isCached);
    return { invoice, ...compareInvoice(await readInvoiceInput(db, request.signedIn, invoice)) };
  };

  for (const path of invoicePaths) {
    const byId = params('documentId');
    app.get(
      path,
      {
        config: invoiceConfig,
        schema: { tags, params: byId, querystring: pageQuery(filters), response: replies(comparison) },
      },
      async request => {
        const { page, pageSize, ...filter } = request.query as Filter & { page: number; pageSize: number };
        const { invoice, rows, classes, rest } = await compare(request);
        const { Currency, Net } = invoice;
        const found = [...searched(rows, filter.search)].sort(
          (one, other) => placeOf(one.Class) - placeOf(other.Class),
        );
        const shown = ofClass(found, filter.class);
        const ignored = classes.find(sums => sums.Class === 'Ignored');
        const connection = await connectionOf(db, request.signedIn.resellerId);
        return succeed({
          System: connection ? psaProducts[connection.product].name : '',
          Status: await syncStatusOf(db, request.signedIn),
          ...{ Net, Rest: rest, NotCompared: ignored?.Amount, NotComparedRows: ignored?.Rows, Currency },
          Classes: classes.map(sums => ({ ...sums, Currency })),
          Counts: {
            All: found.length,
            ...Object.fromEntries(rowClasses.map(name => [name, ofClass(found, name).length])),
          },
          Items: shown.slice((page - 1) * pageSize, page * pageSize).map(one => show(one, Currency)),
          Total: shown.length,
        });
      },
    );
    app.get(
      `${path}/csv`,
      { config: invoiceConfig, schema: { tags, params: byId, querystring: body(filters, []), response: csvReply } },
      async (request, reply) => {
        const { invoice, rows } = await compare(request);
        const filter = request.query as Filter;
        return sendCsv(reply, `Reconciliation ${invoice.Id}`, [
          [
            'Customer',
            'Service',
            'Class',
            'Reason',
            'Quantity',
            'Quantity there',
            `Invoice (${invoice.Currency})`,
            'There',
            'Difference',
            'Not explained',
          ],
          ...ofClass(searched(rows, filter.search), filter.class).map(one => [
            ...[one.Customer, one.Service, one.Class, one.Reason ?? '', one.Quantity ?? '', one.TheirQuantity ?? ''],
            ...[one.Here, one.There, one.Difference, one.Rest].map(Number),
          ]),
        ]);
      },
    );
    app.get(
      `${path}/rows/:rowId`,
      { config: invoiceConfig, schema: { tags, params: params('documentId', 'rowId'), response: replies(details) } },
      async request => {
        const { invoice, rows } = await compare(request);
        const { rowId } = request.params as { rowId: string };
        const found = rows.find(({ key }) => rowIdOf(key) === rowId);
        if (!found) throw notFound();
        const { Currency } = invoice;
        const Explanations = found.Explanations.map((one, index) => ({ Id: String(index + 1), ...one, Currency }));
        return succeed({ ...show(found, Currency), Explanations });
      },
    );
  }
}

const searched = (rows: readonly ComparedRow[], search: string) => {
  const words = searchKey(search.trim());
  return words === ''
    ? rows
    : rows.filter(({ Customer, Service }) => searchKey(`${Customer} ${Service}`).includes(words));
};

const ofClass = (rows: readonly ComparedRow[], name: string | undefined) =>
  name === undefined ? rows : rows.filter(({ Class }) => Class === name);

const show = ({ key, lines: _, their: __, Explanations: ___, ...shown }: ComparedRow, Currency: string) => ({
  Id: rowIdOf(key),
  ...shown,
  Currency,
});
