import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../auth/caller.ts';
import { findDocument, latestInvoice } from '../billing/documents.ts';
import { reportingPaths } from '../billing/permit.ts';
import { CloudError } from '../http/errors.ts';
import { pressMissing, refuseConflict } from '../http/refusals.ts';
import {
  type App,
  boolean,
  day,
  id,
  integer,
  list,
  money,
  number,
  object,
  orNull,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { computed } from '../resource/fields.ts';
import { compareInvoice } from './compare-invoice.ts';
import { connectionOf } from './connection.ts';
import { monthlyChange, obstacles, planContractUpdates } from './contract-plan.ts';
import { beginUpdate, findUpdate, readUpdates, requireSame, update } from './contract-updates.ts';
import { readInvoiceInput } from './invoice-input.ts';
import { invoiceRoutesOf, rowIdOf } from './invoice-routes.ts';
import { reasons } from './invoice-shapes.ts';
import { psaProducts } from './products.ts';
import { type ContractChange, changeKinds, updateFailures, updateStatuses } from './tables.ts';

/** Milliseconds for which the answer waits for the writing; what takes longer goes on and is read later. */
const patience = 8000;

/** A change of a contract, by the invoice that it comes of. */
const line = computed<{ readonly change: ContractChange; readonly currency: string }>([
  { name: 'Id', shape: id, of: ({ change }) => rowIdOf(change.key) },
  { name: 'Kind', shape: { ...string, enum: changeKinds }, of: ({ change }) => change.kind },
  { name: 'OrganisationId', shape: orNull(id), of: ({ change }) => change.organisation },
  { name: 'Customer', of: ({ change }) => change.customer },
  { name: 'Service', of: ({ change }) => change.service },
  { name: 'Contract', of: ({ change }) => change.contractName },
  { name: 'QuantityBefore', shape: orNull(number), of: ({ change }) => change.before?.quantity ?? null },
  { name: 'QuantityAfter', shape: orNull(number), of: ({ change }) => change.after?.quantity ?? null },
  { name: 'CostBefore', shape: orNull(money), of: ({ change }) => change.before?.cost ?? null },
  { name: 'CostAfter', shape: orNull(money), of: ({ change }) => change.after?.cost ?? null },
  { name: 'From', shape: day, of: ({ change }) => change.from },
  { name: 'Currency', of: ({ currency }) => currency },
]);
const plan = object({
  System: string,
  /** False: only the newest invoice says what contracts should bill. */
  IsNewest: boolean,
  Newest: orNull(id),
  Version: string,
  Items: list(object({ ...line.shapes, Change: money })),
  Total: integer,
  Change: money,
  LeftOut: list(object({ Id: id, Customer: string, Service: string, Obstacle: { ...string, enum: obstacles } })),
  NotMatched: list(object({ Reason: { ...string, enum: reasons }, Rows: integer })),
  Currency: string,
});
const result = object({
  Updates: list(update.schema),
  Items: list(
    object({
      ...line.shapes,
      Status: { ...string, enum: updateStatuses },
      Failure: orNull({ ...string, enum: updateFailures }),
    }),
  ),
  IsRunning: boolean,
  /** Lines of the newest update. */
  NotWritten: integer,
  Currency: string,
});

/**
 * Adds the routes that update the contracts of the business system from an invoice: what would be written (nothing is),
 * writing exactly that, and what became of it. For those who may compare the invoice.
 */
export function addContractUpdateRoutes(app: App, { db, now, psaCopies: copies, psaUpdates: updates }: Parts): void {
  const route = invoiceRoutesOf(app, db);
  const findInvoice = (caller: Caller, documentId: string) => findDocument(db, caller, 'Invoice', documentId, now());

  const readPlan = async (caller: Caller, documentId: string) => {
    const invoice = await findInvoice(caller, documentId);
    const newest = await latestInvoice(db, caller, now());
    await copies.readAnew(caller, 'contracts');
    const input = await readInvoiceInput(db, caller, invoice);
    const contracts = await db
      .selectFrom('psa_contracts')
      .select(['id', 'name', 'customer'])
      .where('reseller_id', '=', caller.resellerId)
      .orderBy('id')
      .execute();
    const isNewest = newest?.id === invoice.id;
    const found = planContractUpdates(input, isNewest ? compareInvoice(input).rows : [], contracts);
    return { invoice, newest, isNewest, plan: found };
  };

  route(reportingPaths('GET', '/contract-changes'), { reply: plan }, async ({ caller, params }) => {
    const { invoice, newest, isNewest, plan: found } = await readPlan(caller, params.documentId);
    const { Currency } = invoice;
    const connection = await connectionOf(db, caller.resellerId);
    return {
      System: connection ? psaProducts[connection.product].name : '',
      ...{ IsNewest: isNewest, Newest: newest?.Id ?? null, Version: found.version, Currency },
      Items: found.changes.map(change => ({
        ...line.write({ change, currency: Currency }),
        Change: monthlyChange([change]),
      })),
      Total: found.changes.length,
      Change: monthlyChange(found.changes),
      LeftOut: found.leftOut.map(({ row: { key, Customer, Service }, obstacle }) => ({
        ...{ Id: rowIdOf(key), Customer, Service, Obstacle: obstacle },
      })),
      NotMatched: [...found.unmatched].map(([Reason, Rows]) => ({ Reason, Rows })),
    };
  });

  const updating = { takesPress: true, body: object({ Version: text(40) }), reply: object({ Id: id }) } as const;
  route(reportingPaths('POST', '/contract-updates'), updating, async ({ caller, params, body: { Version }, press }) => {
    if (press === undefined) throw pressMissing();
    const known = await findUpdate(db, caller, press);
    if (known) requireSame(known, Version, (await findInvoice(caller, params.documentId)).id);
    const updateId = known?.id ?? (await begin(caller, params.documentId, Version, press));
    await Promise.race([updates.run(updateId), sleep(patience, undefined, { ref: false })]);
    return { Id: String(updateId) };
  });
  route(reportingPaths('GET', '/contract-updates'), { reply: result }, async ({ caller, params }) => {
    const { id, Currency } = await findInvoice(caller, params.documentId);
    const { updates: Updates, lines } = await readUpdates(db, id);
    return {
      Updates,
      Items: lines.map(({ change, status, failure }) => ({
        ...line.write({ change, currency: Currency }),
        Status: status,
        Failure: failure,
      })),
      IsRunning: Updates.some(({ Finished }) => Finished === null),
      NotWritten: Updates[0]?.NotWritten ?? 0,
      Currency,
    };
  });

  const begin = async (caller: Caller, documentId: string, version: string, press: string): Promise<number> => {
    const { invoice, isNewest, plan: found } = await readPlan(caller, documentId);
    if (!isNewest) throw refuseConflict('InvoiceNotNewest');
    if (found.version !== version)
      throw new CloudError(409, 'Changed', ['This has changed since you looked. Nothing was written. Look again.']);
    if (found.changes.length === 0) throw refuseConflict('ContractsUpToDate');
    return beginUpdate(db, caller, { invoiceId: invoice.id, press, plan: found, at: now() });
  };
}
