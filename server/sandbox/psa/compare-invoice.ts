import { type Amount, amountOf, roundTo, sumOf, writeAmount } from '../../../shared/billing/amounts.ts';
import type {
  ComparedRow,
  Comparison,
  Explanation,
  InvoiceInput,
  InvoiceLine,
  Reason,
  RowClass,
  TheirLine,
} from './invoice-shapes.ts';
import { rowClasses } from './invoice-shapes.ts';
import { heldOn, isBetween, type Movement } from './movements.ts';

const minus = ({ units, scale }: Amount): Amount => ({ units: -units, scale });
const times = (one: Amount, other: Amount): Amount => ({
  units: one.units * other.units,
  scale: one.scale + other.scale,
});
const less = (one: Amount, other: Amount): Amount => sumOf([one, minus(other)]);
const isZero = ({ units }: Amount): boolean => units === 0n;
const printed = (amount: Amount): string => writeAmount(roundTo(amount, 2));
const isCent = ({ units, scale }: Amount): boolean => (units < 0n ? -units : units) <= 10n ** BigInt(scale) / 100n;
const numberOf = (amount: Amount): number => Number(writeAmount(amount));

/** Lines that belong together: those of one customer for one service, here and there. */
type Group = {
  readonly key: string;
  /** Why it is left out; undefined where customer and service are matched. */
  readonly ignored?: Reason;
  readonly here: InvoiceLine[];
  readonly there: TheirLine[];
};

/**
 * Compares an invoice with what the business system bills, by customer and service. The amount of each row is what the
 * business system has, what explains the difference, and the rest that nothing explains: the invoice is the sum of its
 * rows, and `Rest` is not forced to be zero.
 */
export function compareInvoice(input: InvoiceInput): Comparison {
  const rows = groupLines(input).map(group => compareGroup(group, input));
  rows.sort((one, other) => byText(one.Customer, other.Customer) || byText(one.Service, other.Service));
  const classes = rowClasses.map(name => {
    const own = rows.filter(row => row.Class === name);
    const sum = (read: (row: ComparedRow) => string) => sumOf(own.map(row => amountOf(read(row))));
    return {
      Class: name,
      Rows: own.length,
      Amount: printed(
        less(
          sum(row => row.Here),
          sum(row => row.Rest),
        ),
      ),
      There: printed(sum(row => row.There)),
      Difference: printed(sum(row => row.Difference)),
    };
  });
  const rest = sumOf(rows.map(row => amountOf(row.Rest)));
  return { rows, classes, rest: printed(rest) };
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function groupLines({ lines, theirs, customers, services }: InvoiceInput): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (key: string, ignored?: Reason): Group => {
    const found = groups.get(key) ?? { key, here: [], there: [], ...(ignored && { ignored }) };
    groups.set(key, found);
    return found;
  };
  for (const line of lines) {
    const customer = customers.get(line.customer);
    const service = line.product === null ? undefined : services.get(line.product);
    const ignored = reasonToIgnore(customer, service);
    if (ignored) groupOf(`own ${line.customer} ${line.service}`, ignored).here.push(line);
    else groupOf(`${customer?.psaId} ${service?.psaId}`).here.push(line);
  }
  const own = (matches: InvoiceInput['customers']) =>
    new Map([...matches.values()].flatMap(match => (match.psaId === null ? [] : [[match.psaId, match] as const])));
  const [knownCustomers, knownServices] = [own(customers), own(services)];
  for (const line of theirs) {
    const ignored = reasonToIgnore(knownCustomers.get(line.customer), knownServices.get(line.service));
    const key = `${line.customer} ${line.service}`;
    groupOf(ignored ? `their ${key}` : key, ignored).there.push(line);
  }
  return [...groups.values()];
}

type Match = { readonly psaId: string | null; readonly ignored: boolean } | undefined;
function reasonToIgnore(customer: Match, service: Match): Reason | undefined {
  if (customer?.ignored) return 'CustomerIgnored';
  if (!customer || customer.psaId === null) return 'CustomerNotMatched';
  if (service?.ignored) return 'ServiceIgnored';
  return !service || service.psaId === null ? 'ServiceNotMatched' : undefined;
}

/** An explanation before its amount is written. */
type Draft = Omit<Explanation, 'Amount'> & { readonly amount: Amount };

const nothing = { Day: null, OrderNumber: null, By: null, Before: null, After: null } as const;

function compareGroup(group: Group, input: InvoiceInput): ComparedRow {
  const { here, there, ignored, key } = group;
  const atEnd = here.filter(line => isRecurring(line) && line.ends === input.lastDay);
  const quantity = sumOf(atEnd.map(line => amountOf(line.quantity)));
  const theirQuantity = sumOf(there.map(line => amountOf(line.quantity)));
  const price = there.find(line => line.cost !== null)?.cost ?? atEnd[0]?.unitPrice ?? null;
  const theirAmount = sumOf(
    there.map(line => roundTo(times(amountOf(line.quantity), amountOf(line.cost ?? price ?? '0')), 2)),
  );
  const amount = sumOf(here.map(line => amountOf(line.amount)));
  const difference = less(amount, theirAmount);
  const isPart = here.some(line => !(line.kind === 'Month' && line.ends === input.lastDay));
  const drafts = ignored
    ? [{ ...nothing, Reason: ignored, amount: difference }]
    : explain({ here, there, atEnd, quantity, theirQuantity, theirAmount, price }, input);
  const explained = roundTo(sumOf(drafts.map(draft => draft.amount)), 2);
  const cents = sumOf(drafts.map(draft => roundTo(draft.amount, 2)));
  const explanations = [...drafts, { ...nothing, Reason: 'Rounding' as const, amount: less(explained, cents) }]
    .map(({ amount: value, ...draft }): Explanation => ({ ...draft, Amount: printed(value) }))
    .filter(({ Amount }) => !isZero(amountOf(Amount)));
  const isSame = isZero(less(quantity, theirQuantity));
  const [line, other] = [here[0], there[0]];
  return {
    key,
    Class: classOf({ ignored, here, there, isSame: isSame && !isPart, isEqual: isZero(difference) }),
    OrganisationId: line?.customer ?? input.ownCustomers.get(other?.customer ?? '') ?? null,
    Customer: line?.customerName ?? other?.customerName ?? '',
    Service: line?.service ?? other?.serviceName ?? '',
    Quantity: atEnd.length === 0 ? null : numberOf(quantity),
    TheirQuantity: there.length === 0 ? null : numberOf(theirQuantity),
    UnitPrice: unitPriceOf(atEnd),
    TheirPrice: there.length === 1 ? (there[0]?.cost ?? null) : null,
    Here: printed(amount),
    There: printed(theirAmount),
    Difference: printed(difference),
    Rest: printed(less(difference, explained)),
    Reason: explanations[0]?.Reason ?? null,
    Explanations: explanations,
    lines: here,
    their: there,
  };
}

/** True for an invoice line of a monthly charge, for a whole month or part of one. */
export const isRecurring = ({ kind }: InvoiceLine): boolean => kind === 'Month' || kind === 'Part';

/** The price of all lines; null where they differ. */
function unitPriceOf(lines: readonly InvoiceLine[]): string | null {
  const prices = new Set(lines.map(({ unitPrice }) => printed(amountOf(unitPrice))));
  const [price = null] = prices;
  return prices.size === 1 ? price : null;
}

type Standing = {
  readonly ignored: Reason | undefined;
  readonly here: readonly InvoiceLine[];
  readonly there: readonly TheirLine[];
  readonly isSame: boolean;
  readonly isEqual: boolean;
};
function classOf({ ignored, here, there, isSame, isEqual }: Standing): RowClass {
  if (ignored) return 'Ignored';
  if (here.length === 0) return 'MissingHere';
  if (there.length === 0) return 'MissingThere';
  if (!isSame) return 'Quantity';
  return isEqual ? 'Matched' : 'Price';
}

type Sides = {
  readonly here: readonly InvoiceLine[];
  readonly there: readonly TheirLine[];
  readonly atEnd: readonly InvoiceLine[];
  readonly quantity: Amount;
  readonly theirQuantity: Amount;
  readonly theirAmount: Amount;
  readonly price: string | null;
};

/** Everything that is known to make the invoice more or less than what the business system bills. */
function explain(sides: Sides, input: InvoiceInput): Draft[] {
  const { here, there, atEnd, quantity, theirQuantity, theirAmount, price } = sides;
  const hasPrice = there.length > 0;
  const drafts = [...here.flatMap(line => explainLine(line, atEnd.includes(line)))];
  const movements = movementsOf(sides, input);
  const days = there.map(line => line.since?.slice(0, 10) ?? null);
  const since = days.length === 0 ? '' : days.includes(null) ? null : (days.sort().at(-1) ?? null);
  const worthOf = (instance: string): Amount => amountOf(hasPrice ? (price ?? '0') : priceOf(instance, here));

  const ahead = movements.filter(({ isPaidAhead, day }) => isPaidAhead && day <= input.lastDay);
  // Where both have the same number nothing that moved makes a difference.
  const isSame = hasPrice && ahead.length === 0 && isZero(less(quantity, theirQuantity));

  // From what the business system bills to what was held when the month ended.
  if (since !== null && !isSame) {
    const [from, to, sign] = since <= input.lastDay ? [since, input.lastDay, 1] : [input.lastDay, since, -1];
    for (const { day, delta, reason, order, by, before, after, instance } of movements.filter(isBetween(from, to)))
      drafts.push({
        ...{ Reason: reason, Day: day, OrderNumber: order, By: by, Before: before, After: after },
        amount: times({ units: BigInt(delta * sign), scale: 0 }, worthOf(instance)),
      });
    const then = { units: BigInt(heldOn(movements, since)), scale: 0 };
    if (hasPrice)
      drafts.push({
        ...nothing,
        ...{ Reason: 'EnteredThere', Day: since, Before: numberOf(theirQuantity), After: numberOf(then) },
        amount: times(less(then, theirQuantity), amountOf(price ?? '0')),
      });
  }
  // What was held and is not billed by the month.
  drafts.push({
    ...nothing,
    Reason: 'PaidAhead',
    amount: minus(
      sumOf(ahead.map(({ delta, instance }) => times({ units: BigInt(delta), scale: 0 }, worthOf(instance)))),
    ),
  });
  if (!hasPrice) return drafts;
  const full = sumOf(atEnd.map(line => times(amountOf(line.quantity), amountOf(line.unitPrice))));
  const [paid, known] = [amountOf(price ?? '0'), atEnd.length > 0];
  const ofPrice = less(full, times(quantity, paid));
  const ofSeveral = less(theirAmount, times(theirQuantity, paid));
  drafts.push({
    ...nothing,
    Reason: 'Price',
    Day: since || null,
    OrderNumber: known ? (atEnd.find(line => line.order !== null)?.order ?? null) : null,
    amount: less(ofPrice, ofSeveral),
  });
  return drafts;
}

/** Finds the cost of an instance by its own lines; "0" for one that is on none. */
function priceOf(instance: string, lines: readonly InvoiceLine[]): string {
  const own = lines.filter(line => line.instance === instance && isRecurring(line));
  return (own.at(-1) ?? lines.find(line => line.instance === instance))?.unitPrice ?? '0';
}

function movementsOf({ here, there }: Sides, { movements, customers, services }: InvoiceInput): readonly Movement[] {
  const [line, other] = [here[0], there[0]];
  const customer = (line && customers.get(line.customer)?.psaId) ?? other?.customer;
  const service = (line?.product && services.get(line.product)?.psaId) ?? other?.service;
  return movements.get(`${customer} ${service}`) ?? [];
}

/** Explains why the amount of a line is other than its quantity and price for the whole month. */
function explainLine(line: InvoiceLine, isAtEnd: boolean): Draft[] {
  const [amount, full] = [amountOf(line.amount), times(amountOf(line.quantity), amountOf(line.unitPrice))];
  const cause = { ...nothing, Day: line.starts, OrderNumber: line.order };
  if (line.kind === 'Usage' || line.kind === 'Once' || line.kind === 'Term')
    return [{ ...cause, Reason: line.kind, amount }];
  const { days, monthDays } = line;
  const isPart = days !== null && monthDays !== null && days !== monthDays;
  const ofDays = isPart ? divide(times(full, { units: BigInt(days), scale: 0 }), BigInt(monthDays)) : full;
  const rounding = less(amount, ofDays);
  const part = { ...cause, Before: monthDays, After: days };
  return [
    ...(isCent(rounding) ? [{ ...nothing, Reason: 'Rounding' as const, amount: rounding }] : []),
    ...(isAtEnd && !isPart
      ? []
      : [{ ...part, Reason: 'PartOfMonth' as const, amount: isAtEnd ? less(ofDays, full) : ofDays }]),
  ];
}

/** Divides and rounds to the cent. */
function divide({ units, scale }: Amount, by: bigint): Amount {
  return roundTo({ units: (units * 10n ** 8n) / by, scale: scale + 8 }, 2);
}
