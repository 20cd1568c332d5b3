import { createHash } from 'node:crypto';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import type { Need } from '../auth/needs.ts';
import { findDocument } from '../billing/documents.ts';
import { permitReporting, reportingPaths } from '../billing/permit.ts';
import { notFound, notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  day,
  id,
  integer,
  list,
  money,
  number,
  object,
  orNull,
  pageQuery,
  partial,
  search,
  string,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { compareInvoice } from './compare-invoice.ts';
import { connectionOf, type PsaFlags, permitted } from './connection.ts';
import { readInvoiceInput } from './invoice-input.ts';
import { type ComparedRow, type RowClass, reasons, rowClasses } from './invoice-shapes.ts';
import { psaProducts } from './products.ts';
import { syncStatusOf } from './sync.ts';

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

const filters = { search, class: { enum: rowClasses } } as const;
/** Of a reseller, with both views: what an invoice says is no business of others. */
const seesBoth: Need = {
  label: 'view billing and view pSA, and to be of a reseller',
  isMet: ({ customerId, views }) => customerId === null && views.includes('billing') && views.includes('pSA'),
};

/** Gives the function that adds routes for accounts with the reports of an enabled business system. */
export const invoiceRoutesOf = (app: App, db: Database) =>
  routeAdder(app, db, {
    tags: ['psa'],
    needs: seesBoth,
    async permit({ caller, isPlatform }) {
      if (isPlatform) await permitReporting(db, caller.accountId);
      const flags = await permitted(db, caller, false);
      if (!flags.hasReports) throw notPermitted();
      return flags;
    },
  });

/** Makes a short id for a row of an invoice's comparison from its long key, to be used in an address. */
export const rowIdOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, 16);

/** Orders classes: those that differ come first, then those that agree, and last those that are left out. */
const placeOf = (name: RowClass): number => ['Matched', 'Ignored'].indexOf(name);

/** Adds the routes that compare an invoice with the business system. */
export function addInvoiceComparisonRoutes(app: App, { db, now, psaCopies: copies }: Parts): void {
  const route = invoiceRoutesOf(app, db);
  type Call = {
    readonly caller: Caller;
    readonly params: { readonly documentId: string };
    readonly permitted: PsaFlags;
  };
  const compare = async ({ caller, params: { documentId }, permitted: { isCached } }: Call) => {
    const invoice = await findDocument(db, caller, 'Invoice', documentId, now());
    await copies.freshen(caller, 'contracts', isCached);
    return { invoice, ...compareInvoice(await readInvoiceInput(db, caller, invoice)) };
  };

  route(reportingPaths('GET', '/reconciliation'), { query: pageQuery(filters), reply: comparison }, async call => {
    const { caller, query } = call;
    const { page, pageSize } = query;
    const { invoice, rows, classes, rest } = await compare(call);
    const { Currency, Net } = invoice;
    const found = searched(rows, query.search).sort((one, other) => placeOf(one.Class) - placeOf(other.Class));
    const shown = ofClass(found, query.class);
    const ignored = classes.find(sums => sums.Class === 'Ignored');
    const connection = await connectionOf(db, caller.resellerId);
    return {
      System: connection ? psaProducts[connection.product].name : '',
      Status: await syncStatusOf(db, caller),
      ...{ Net, Rest: rest, NotCompared: ignored?.Amount, NotComparedRows: ignored?.Rows, Currency },
      Classes: classes.map(sums => ({ ...sums, Currency })),
      Counts: {
        All: found.length,
        ...Object.fromEntries(rowClasses.map(name => [name, ofClass(found, name).length])),
      },
      Items: shown.slice((page - 1) * pageSize, page * pageSize).map(one => show(one, Currency)),
      Total: shown.length,
    };
  });
  route(reportingPaths('GET', '/reconciliation/csv'), { query: partial(filters), file: 'text/csv' }, async call => {
    const { invoice, rows } = await compare(call);
    const heads = ['Customer', 'Service', 'Class', 'Reason', 'Quantity', 'Quantity there'];
    return {
      name: `Reconciliation ${invoice.Id}`,
      rows: [
        [...heads, `Invoice (${invoice.Currency})`, 'There', 'Difference', 'Not explained'],
        ...ofClass(searched(rows, call.query.search), call.query.class).map(one => [
          ...[one.Customer, one.Service, one.Class, one.Reason ?? '', one.Quantity ?? '', one.TheirQuantity ?? ''],
          ...[one.Here, one.There, one.Difference, one.Rest].map(Number),
        ]),
      ],
    };
  });
  route(reportingPaths('GET', '/reconciliation/rows/:rowId'), { reply: details }, async call => {
    const { invoice, rows } = await compare(call);
    const found = rows.find(({ key }) => rowIdOf(key) === call.params.rowId);
    if (!found) throw notFound();
    const { Currency } = invoice;
    const Explanations = found.Explanations.map((one, index) => ({ Id: String(index + 1), ...one, Currency }));
    return { ...show(found, Currency), Explanations };
  });
}

function searched(rows: readonly ComparedRow[], search: string): ComparedRow[] {
  const words = searchKey(search.trim());
  return rows.filter(({ Customer, Service }) => searchKey(`${Customer} ${Service}`).includes(words));
}

const ofClass = (rows: readonly ComparedRow[], name: RowClass | undefined) =>
  name === undefined ? rows : rows.filter(({ Class }) => Class === name);

const show = ({ key, lines: _, their: __, Explanations: ___, ...shown }: ComparedRow, Currency: string) => ({
  Id: rowIdOf(key),
  ...shown,
  Currency,
});
