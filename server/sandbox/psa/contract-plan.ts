import { createHash } from 'node:crypto';
import { type Amount, amountOf, roundTo, sumOf, writeAmount } from '../../../shared/billing/amounts.ts';
import { isRecurring } from './compare-invoice.ts';
import type { ComparedRow, InvoiceInput, Reason } from './invoice-shapes.ts';
import type { Billed, ChangeKind, ContractChange } from './tables.ts';

/** Why a row that differs is not written. */
export const obstacles = [
  'NotMonthly',
  'PaidAhead',
  'SeveralLines',
  'SeveralPrices',
  'NoContract',
  'SeveralContracts',
  'NotExplained',
] as const;
export type Obstacle = (typeof obstacles)[number];

/** Changes that an update would write, and the rows that differ and are left out. */
export type ContractPlan = {
  readonly changes: readonly ContractChange[];
  readonly leftOut: readonly { readonly row: ComparedRow; readonly obstacle: Obstacle }[];
  /** Rows of customers or services that are not matched or ignored, by that reason. */
  readonly unmatched: ReadonlyMap<Reason, number>;
  /** The same for the same changes alone. */
  readonly version: string;
};

/** A contract that runs, by the ids of the business system. */
export type Contract = { readonly id: string; readonly name: string; readonly customer: string };

/**
 * Plans the changes after which the contracts in the business system bill what an invoice's monthly lines bill. Plans
 * only what is certain: one contract line there for one price here, and a difference explained to the penny.
 */
export function planContractUpdates(
  input: InvoiceInput,
  rows: readonly ComparedRow[],
  contracts: readonly Contract[],
): ContractPlan {
  const changes: ContractChange[] = [];
  const leftOut: { row: ComparedRow; obstacle: Obstacle }[] = [];
  const unmatched = new Map<Reason, number>();
  for (const row of rows) {
    if (row.Class === 'Ignored') {
      if (row.Reason) unmatched.set(row.Reason, (unmatched.get(row.Reason) ?? 0) + 1);
      continue;
    }
    const planned = planRow(row, input, contracts);
    if (typeof planned === 'string') leftOut.push({ row, obstacle: planned });
    else if (planned) changes.push(planned);
  }
  const version = createHash('sha256').update(JSON.stringify(changes)).digest('base64url').slice(0, 22);
  return { changes, leftOut, unmatched, version };
}

/** @returns undefined where both sides agree */
function planRow(
  row: ComparedRow,
  input: InvoiceInput,
  contracts: readonly Contract[],
): ContractChange | Obstacle | undefined {
  const { key, lines, their, UnitPrice } = row;
  const [there] = their;
  const quantity = row.Quantity ?? 0;
  const isSame = their.length === 1 && there && Number(there.quantity) === quantity;
  if (isSame && (quantity === 0 || isSameCost(there.cost, UnitPrice))) return undefined;
  if (!there && quantity === 0) return lines.every(isRecurring) ? undefined : 'NotMonthly';
  const obstacle = obstacleOf(row, input);
  if (obstacle) return obstacle;

  const next = dayAfter(input.lastDay);
  const after = quantity === 0 ? null : { quantity, cost: UnitPrice };
  const named = { key, organisation: row.OrganisationId, customer: row.Customer, service: row.Service };
  if (!there) {
    const [line] = lines;
    const customer = line && input.customers.get(line.customer)?.psaId;
    const product = line?.product ? input.services.get(line.product)?.psaId : undefined;
    const [contract, another] = contracts.filter(one => one.customer === customer);
    if (!contract || !product) return 'NoContract';
    if (another) return 'SeveralContracts';
    const at = { contract: contract.id, contractName: contract.name, line: null, product };
    return { ...named, kind: 'Added', ...at, before: null, after, from: next };
  }
  const contractName = contracts.find(({ id }) => id === there.contract)?.name ?? there.contract;
  const since = there.since?.slice(0, 10) ?? next;
  return {
    ...named,
    kind: kindOf(after, isSame === true, isSameCost(there.cost, UnitPrice)),
    ...{ contract: there.contract, contractName, line: there.line, product: there.service },
    before: { quantity: Number(there.quantity), cost: there.cost },
    after,
    from: since > next ? since : next,
  };
}

function obstacleOf({ key, lines, their, Rest, UnitPrice, Quantity }: ComparedRow, input: InvoiceInput) {
  if (lines.some(line => !isRecurring(line))) return 'NotMonthly';
  const ahead = (input.movements.get(key) ?? []).filter(({ isPaidAhead, day }) => isPaidAhead && day <= input.lastDay);
  if (ahead.reduce((sum, { delta }) => sum + delta, 0) !== 0) return 'PaidAhead';
  if (their.length > 1 || their[0]?.line === null) return 'SeveralLines';
  if (Quantity && UnitPrice === null) return 'SeveralPrices';
  return Number(Rest) === 0 ? undefined : 'NotExplained';
}

function kindOf(after: Billed | null, isSameQuantity: boolean, isSamePrice: boolean): ChangeKind {
  if (!after) return 'Removed';
  if (isSameQuantity) return 'Price';
  return isSamePrice ? 'Quantity' : 'QuantityAndPrice';
}

/** True when two costs differ by less than half a penny: another system's costs are stored in whole pennies. */
export function isSameCost(one: string | null, other: string | number | null): boolean {
  if (one === null || other === null) return one === other;
  const { units, scale } = sumOf([amountOf(one), minus(amountOf(String(other)))]);
  const size = units < 0n ? -units : units;
  return 200n * size <= 10n ** BigInt(scale);
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

const minus = ({ units, scale }: Amount): Amount => ({ units: -units, scale });

/** Computes the cost of a line a month; `otherwise` is the cost of one where the line does not say. */
const monthly = (billed: Billed | null, otherwise: string | null): Amount => {
  if (!billed) return amountOf('0');
  const [count, cost] = [amountOf(String(billed.quantity)), amountOf(billed.cost ?? otherwise ?? '0')];
  return roundTo({ units: count.units * cost.units, scale: count.scale + cost.scale }, 2);
};

/** Gives by how much the changes of a plan raise the contracts' monthly cost (below zero: lower), as a decimal. */
export const monthlyChange = (changes: readonly Pick<ContractChange, 'before' | 'after'>[]): string =>
  writeAmount(
    roundTo(
      sumOf(
        changes.flatMap(({ before, after }) => [monthly(after, null), minus(monthly(before, after?.cost ?? null))]),
      ),
      2,
    ),
  );
