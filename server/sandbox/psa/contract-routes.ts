import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../auth/caller.ts';
import { findDocument, latestInvoice } from '../billing/documents.ts';
import { reportingPaths } from '../billing/permit.ts';
import { CloudError } from '../http/errors.ts';
import { pressMissing, refuseConflict } from '../http/refusals.ts';
import { type App, boolean, date, id, integer, list, money, object, orNull, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { compareInvoice } from './compare-invoice.ts';
import { connectionOf } from './connection.ts';
import { monthlyChange, obstacles, planContracts } from './contract-plan.ts';
import { beginUpdate, findUpdate, readUpdates, requireSame } from './contract-updates.ts';
import { readInvoiceInput } from './invoice-input.ts';
import { invoiceRoutesOf, rowIdOf } from './invoice-routes.ts';
import { reasons } from './invoice-shapes.ts';
import { psaProducts } from './products.ts';
import { type ContractChange, changeKinds, updateFailures, updateStatuses } from './tables.ts';

/** Milliseconds for which the answer waits for the writing; what takes longer goes on and is read later. */
const patience = 8000;

const number = { type: 'number' } as const;
const day = { ...string, description: 'YYYY-MM-DD' } as const;
const line = {
  Id: id,
  Kind: { ...string, enum: changeKinds },
  OrganisationId: orNull(id),
  ...{ Customer: string, Service: string, Contract: string },
  ...{ QuantityBefore: orNull(number), QuantityAfter: orNull(number) },
  ...{ CostBefore: orNull(money), CostAfter: orNull(money) },
  ...{ From: day, Currency: string },
} as const;
const plan = object({
  System: string,
  /** False: only the newest invoice says what contracts should bill. */
  IsNewest: boolean,
  Newest: orNull(id),
  Version: string,
  Items: list(object({ ...line, Change: money })),
  Total: integer,
  Change: money,
  LeftOut: list(object({ Id: id, Customer: string, Service: string, Obstacle: { ...string, enum: obstacles } })),
  NotMatched: list(object({ Reason: { ...string, enum: reasons }, Rows: integer })),
  Currency: string,
});
const result = object({
  Updates: list(
    object({
      ...{ Id: id, Created: date, By: string, Finished: orNull(date) },
      ...{ Written: integer, NotWritten: integer, Waiting: integer },
    }),
  ),
  Items: list(
    object({
      ...line,
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
    const found = planContracts(input, isNewest ? compareInvoice(input).rows : [], contracts);
    return { invoice, newest, isNewest, plan: found };
  };

  route(reportingPaths('GET', '/contract-changes'), { reply: plan }, async ({ caller, params }) => {
    const { invoice, newest, isNewest, plan: found } = await readPlan(caller, params.documentId);
    const { Currency } = invoice;
    const connection = await connectionOf(db, caller.resellerId);
    return {
      System: connection ? psaProducts[connection.product].name : '',
      ...{ IsNewest: isNewest, Newest: newest?.Id ?? null, Version: found.version, Currency },
      Items: found.changes.map(change => ({ ...show(change, Currency), Change: monthlyChange([change]) })),
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
        ...show(change, Currency),
        ...{ Status: status, Failure: failure },
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

const show = (change: ContractChange, Currency: string) => ({
  Id: rowIdOf(change.key),
  Kind: change.kind,
  OrganisationId: change.organisation,
  ...{ Customer: change.customer, Service: change.service, Contract: change.contractName },
  ...{ QuantityBefore: change.before?.quantity ?? null, QuantityAfter: change.after?.quantity ?? null },
  ...{ CostBefore: change.before?.cost ?? null, CostAfter: change.after?.cost ?? null },
  ...{ From: change.from, Currency },
});
