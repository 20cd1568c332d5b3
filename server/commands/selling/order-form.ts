import type { PatternName } from '../../../shared/language/patterns.ts';
import type { FieldNode, Node } from '../../../shared/language/types.ts';
import { ask } from '../../operations/ask.ts';
import { orDeclined } from '../../operations/cloud-refusal.ts';
import type { Id, OperationReplies } from '../../operations/operation-replies.ts';
import type { Command, CommandContext } from '../command.ts';
import type { Words } from '../wizard/step-reply.ts';
import { labelOf } from '../wizard/step-reply.ts';
import type { Commitment } from './add-journey.ts';

/** Names a product. */
export type Key = { readonly serviceId: Id; readonly subId: Id };

/** What the cloud says of a product and asks for it. */
type Reply = OperationReplies['marketplace.service'];
type Term = Reply['Terms'][number];
type Field = Reply['Fields'][number];
export type Product = Pick<Reply, 'Id' | 'SubId' | 'Name' | 'Unit' | 'MinQuantity' | 'MaxQuantity' | 'Billing'> & {
  readonly ChargingModel?: Reply['ChargingModel'];
  readonly Agreements?: Reply['Agreements'];
  readonly Terms: readonly (Pick<Term, 'Id' | 'Name' | 'Months'> & Partial<Term>)[];
  readonly Fields: readonly ProductField[];
};
const patternKinds = ['ipv4', 'hex-colour', 'customer-id'] as const satisfies readonly PatternName[];
type PatternKind = (typeof patternKinds)[number];
const isPattern = (kind: ProductField['Kind']): kind is PatternKind =>
  (patternKinds as readonly string[]).includes(kind);
/** `PerCustomer`: an order for many has a value of each customer. */
export type ProductField = Omit<Field, 'PerCustomer'> & Partial<Pick<Field, 'PerCustomer'>>;

/** The price of an order; money in the caller's currency, for those who see prices; days as ISO 8601. */
export type Quote = Pick<
  OperationReplies['orders.quote'],
  'UnitPrice' | 'MonthlyPrice' | 'FirstCharge' | 'FirstChargeDate' | 'CancelFreeUntil'
> & { readonly Once?: boolean };

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads a product with its terms, prices and fields.
 * @throws {Declined} when the caller cannot have it
 */
export const readProduct = (context: CommandContext, { serviceId, subId }: Key): Promise<Product> =>
  ask(context, 'marketplace.service', { serviceId, subId });

/** Gives the product with only the terms that fit a commitment (`term` or `monthly`). */
export const committed = (product: Product, commitment: Commitment): Product =>
  commitment === undefined
    ? product
    : { ...product, Terms: product.Terms.filter(({ Months }) => Months > 1 === (commitment === 'term')) };

const own: ReadonlySet<string> = new Set(['Quantity', 'TermId', 'BillingId']);

const choice = (propertyName: string, words: Words, options: NonNullable<FieldNode['options']>): FieldNode => ({
  type: 'field',
  propertyName,
  kind: 'select',
  label: labelOf(words, propertyName),
  mandatory: true,
  options,
});

const namedOptions = (list: readonly { readonly Id: string; readonly Name: string }[]) =>
  list.map(({ Id, Name }) => ({ value: Id, text: Name }));

/** Makes the field node for a field that the product asks for. */
export function fieldOf({
  PropertyName,
  Label,
  Kind,
  Mandatory,
  Regex,
  InvalidMessage,
  Options,
}: ProductField): FieldNode {
  return {
    type: 'field',
    propertyName: PropertyName,
    ...(isPattern(Kind) ? { kind: 'text', pattern: Kind } : { kind: Kind }),
    label: Label,
    // A box that need not be ticked is an answer either way.
    ...(Mandatory && { mandatory: true }),
    ...(Regex !== '' && { regex: Regex }),
    ...(InvalidMessage !== '' && { invalidMessage: InvalidMessage }),
    ...(Kind === 'select' && { options: Options.map(value => ({ value, text: value })) }),
  };
}

/** Makes the fields of an order: quantity, term and billing, then those that the product asks for. */
export function orderFields(product: Product, words: Words): FieldNode[] {
  const { MinQuantity, MaxQuantity, Terms, Billing, Fields } = product;
  return [
    {
      type: 'field',
      propertyName: 'Quantity',
      kind: 'number',
      label: labelOf(words, 'Quantity'),
      mandatory: true,
      min: MinQuantity,
      max: MaxQuantity,
      pattern: 'digits',
    },
    choice('TermId', words, namedOptions(Terms)),
    choice('BillingId', words, namedOptions(Billing)),
    // A field of the cloud never takes the place of one of ours.
    ...Fields.filter(({ PropertyName }) => !own.has(PropertyName)).map(fieldOf),
  ];
}

/** Gives the first values of an order: the smallest quantity, the first term and the first billing. */
export function firstValues({ MinQuantity, Terms, Billing }: Product): Values {
  return { Quantity: MinQuantity, TermId: Terms[0]?.Id ?? '', BillingId: Billing[0]?.Id ?? '' };
}

/** Makes the body of an order as the cloud takes it: the product's own fields go into `Fields`. */
export function orderBody(values: Values): { readonly [name: string]: unknown; readonly Fields: Values } {
  const { Quantity, TermId, BillingId, ...Fields } = values;
  return { Quantity, TermId, BillingId, Fields };
}

/**
 * Wraps a command of an order: field errors of the cloud (`Fields/Domain`) get the names that the form's fields have.
 */
export const withFieldNames =
  (step: Command['run']): Command['run'] =>
  async context => {
    const { envelope, ...reply } = await orDeclined(step(context));
    if (!envelope.Errors) return { ...reply, envelope };
    const named = Object.entries(envelope.Errors).map(([name, said]) => [name.replace(/^Fields[./]/, ''), said]);
    return { ...reply, envelope: { ...envelope, Errors: Object.fromEntries(named) } };
  };

type Item = Extract<Node, { type: 'facts' }>['items'][number];

const money = ['UnitPrice', 'MonthlyPrice', 'FirstCharge'] as const;
const days = ['FirstChargeDate', 'CancelFreeUntil'] as const;

/** What of a quote is there: no price for those who see none, and of a one-time purchase none per month. */
const quoted = (quote: Quote) =>
  [...money, ...days].filter(name => quote[name] !== undefined && !(quote.Once && name === 'MonthlyPrice'));

function quoteItems(quote: Quote, words: Words): Item[] {
  return quoted(quote).map(name => ({
    label: labelOf(words, name),
    path: `reply.Result.values.$${name}`,
    format: (days as readonly string[]).includes(name) ? 'date' : 'currency',
  }));
}

/** Makes the nodes and values of the summary before an order: product, answers, and the quote. */
export function summaryOf(
  product: Product,
  fields: readonly FieldNode[],
  values: Values,
  words: Words,
  quote: Quote,
): { readonly children: readonly Node[]; readonly values: Values } {
  const shown: Record<string, unknown> = { Name: product.Name };
  const items: Item[] = [{ label: labelOf(words, 'Product'), path: 'reply.Result.values.Name' }];
  for (const { propertyName, label, options, kind } of fields) {
    const value = values[propertyName];
    if (value === undefined || value === '') continue;
    shown[propertyName] = options?.find(option => option.value === value)?.text ?? value;
    items.push({
      label: label ?? propertyName,
      path: `reply.Result.values.${propertyName}`,
      ...(kind === 'checkbox' && { format: 'yes-no' as const }),
      ...((kind === 'date' || kind === 'date-time') && { format: kind }),
    });
  }
  for (const name of quoted(quote)) shown[`$${name}`] = quote[name];
  return {
    children: [
      { type: 'facts', look: 'ledger', items: quoteItems(quote, words) },
      { type: 'facts', look: 'list', items },
    ],
    values: shown,
  };
}
