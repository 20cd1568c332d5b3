import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { latestInvoice } from '../billing/documents.ts';
import { CloudError } from '../http/errors.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { pressMissing, refuseConflict } from '../http/refusals.ts';
import { replies, succeed } from '../http/reply.ts';
import {
  type App,
  boolean,
  date,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  params,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { compareInvoice } from './compare-invoice.ts';
import { connectionOf } from './connection.ts';
import { monthlyChange, obstacles, planContracts } from './contract-plan.ts';
import { beginUpdate, findUpdate, readUpdates, requireSame } from './contract-updates.ts';
import { readInvoiceInput } from './invoice-input.ts';
import { findInvoice, invoiceConfig, invoicePaths, rowIdOf } from './invoice-routes.ts';
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

const tags = ['psa'];

/**
 * Adds the routes that update the contracts of the business system from an invoice: what would be written (nothing is),
 * writing exactly that, and what became of it. For those who may compare the invoice.
 */
export function addContractUpdateRoutes(app: App, parts: Parts): void {
  const { db, now, psaCopies: copies, psaUpdates: updates } = parts;

  const readPlan = async (request: FastifyRequest) => {
    const { signedIn } = request;
    const { invoice } = await findInvoice(parts, request);
    const newest = await latestInvoice(db, signedIn, now());
    await copies.readAnew(signedIn, 'contracts');
    const input = await readInvoiceInput(db, signedIn, invoice);
    const contracts = await db
      .selectFrom('psa_contracts')
      .select(['id', 'name', 'customer'])
      .where('reseller_id', '=', signedIn.resellerId)
      .orderBy('id')
      .execute();
    const isNewest = newest?.id === invoice.id;
    const found = planContracts(input, isNewest ? compareInvoice(input).rows : [], contracts);
    return { invoice, newest, isNewest, plan: found };
  };

  for (const path of invoicePaths) {
    const base = path.replace(/\/reconciliation$/, '');
    const byId = params('documentId');
    app.get(
      `${base}/contract-changes`,
      { config: invoiceConfig, schema: { tags, params: byId, response: replies(plan) } },
      async request => {
        const { invoice, newest, isNewest, plan: found } = await readPlan(request);
        const { Currency } = invoice;
        const connection = await connectionOf(db, request.signedIn.resellerId);
        return succeed({
          System: connection ? psaProducts[connection.product].name : '',
          ...{ IsNewest: isNewest, Newest: newest?.Id ?? null, Version: found.version, Currency },
          Items: found.changes.map(change => ({ ...show(change, Currency), Change: monthlyChange([change]) })),
          Total: found.changes.length,
          Change: monthlyChange(found.changes),
          LeftOut: found.leftOut.map(({ row: { key, Customer, Service }, obstacle }) => ({
            ...{ Id: rowIdOf(key), Customer, Service, Obstacle: obstacle },
          })),
          NotMatched: [...found.unmatched].map(([Reason, Rows]) => ({ Reason, Rows })),
        });
      },
    );

    const asked = object({ Version: text(40) });
    app.post(
      `${base}/contract-updates`,
      {
        config: invoiceConfig,
        schema: { tags, params: byId, headers: idempotencyKey, body: asked, response: replies(object({ Id: id })) },
      },
      async request => {
        const { signedIn } = request;
        const { Version } = request.body as { Version: string };
        const press = request.headers['idempotency-key'];
        if (typeof press !== 'string') throw pressMissing();
        const known = await findUpdate(db, signedIn, press);
        const updateId = known ? await again(request, known, Version) : await begin(request, Version, press);
        await Promise.race([updates.run(updateId), sleep(patience, undefined, { ref: false })]);
        return succeed({ Id: String(updateId) });
      },
    );
    app.get(
      `${base}/contract-updates`,
      { config: invoiceConfig, schema: { tags, params: byId, response: replies(result) } },
      async request => {
        const { invoice } = await findInvoice(parts, request);
        const { updates: Updates, lines } = await readUpdates(db, invoice.id);
        const { Currency } = invoice;
        return succeed({
          Updates,
          Items: lines.map(({ change, status, failure }) => ({
            ...show(change, Currency),
            ...{ Status: status, Failure: failure },
          })),
          IsRunning: Updates.some(({ Finished }) => Finished === null),
          NotWritten: Updates[0]?.NotWritten ?? 0,
          Currency,
        });
      },
    );
  }

  const again = async (
    request: FastifyRequest,
    known: { readonly id: number; readonly version: string; readonly invoice_id: number },
    version: string,
  ): Promise<number> => {
    const { invoice } = await findInvoice(parts, request);
    requireSame(known, version, invoice.id);
    return known.id;
  };

  const begin = async (request: FastifyRequest, version: string, press: string): Promise<number> => {
    const { invoice, isNewest, plan: found } = await readPlan(request);
    if (!isNewest) throw refuseConflict('InvoiceNotNewest');
    if (found.version !== version)
      throw new CloudError(409, 'Changed', ['This has changed since you looked. Nothing was written. Look again.']);
    if (found.changes.length === 0) throw refuseConflict('ContractsUpToDate');
    return beginUpdate(db, request.signedIn, { invoiceId: invoice.id, press, plan: found, at: now() });
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
