import type { FieldNode, LayoutText, Node } from '../../shared/language/types.ts';

/** What the cloud says of a product and asks for it. */
export type Product = {
  readonly Id: number;
  readonly SubId: number;
  readonly Name: string;
  readonly Unit: string;
  readonly MinQuantity: number;
  readonly MaxQuantity: number;
  readonly Terms: readonly { readonly Id: string; readonly Name: string }[];
  readonly Billing: readonly { readonly Id: string; readonly Name: string }[];
  readonly Fields: readonly ProductField[];
};
export type ProductField = {
  readonly PropertyName: string;
  readonly Label: string;
  readonly Kind: 'text' | 'number' | 'email' | 'select' | 'checkbox' | 'date';
  readonly Mandatory: boolean;
  readonly Regex: string;
  readonly InvalidMessage: string;
  readonly Options: readonly string[];
};

/** The price of an order; money in the caller's currency, days as ISO 8601. */
export type Quote = {
  readonly UnitPrice: number;
  readonly MonthlyPrice: number;
  readonly FirstCharge: number;
  readonly FirstChargeDate: string;
  readonly CancelFreeUntil: string;
};

/** Texts of the page's node, by name. */
export type Words = Readonly<Record<string, LayoutText>>;
type Values = Readonly<Record<string, unknown>>;

const own: ReadonlySet<string> = new Set(['Quantity', 'TermId', 'BillingId', 'Product']);

/** True for what a product asks for beside quantity, term and billing. */
export const isOfProduct = (name: string): boolean => !own.has(name);

const choice = (
  propertyName: string,
  label: LayoutText,
  options: readonly { Id: string; Name: string }[],
): FieldNode => ({
  type: 'field',
  propertyName,
  kind: 'select',
  label,
  mandatory: true,
  options: options.map(({ Id, Name }) => ({ value: Id, text: Name })),
});

function fieldOf({ PropertyName, Label, Kind, Mandatory, Regex, InvalidMessage, Options }: ProductField): FieldNode {
  return {
    type: 'field',
    propertyName: PropertyName,
    kind: Kind,
    label: Label,
    // A box that need not be ticked is an answer either way.
    ...(Mandatory && { mandatory: true }),
    ...(Regex !== '' && { regex: Regex }),
    ...(InvalidMessage !== '' && { invalidMessage: InvalidMessage }),
    ...(Kind === 'select' && { options: Options.map(value => ({ value, text: value })) }),
  };
}

/** The fields of an order: quantity, term and billing, then what the product asks for, whatever it is. */
export function orderFields(product: Product, words: Words): FieldNode[] {
  const { MinQuantity, MaxQuantity, Terms, Billing, Fields } = product;
  return [
    {
      type: 'field',
      propertyName: 'Quantity',
      kind: 'number',
      label: words.quantity ?? 'Quantity',
      mandatory: true,
      min: MinQuantity,
      max: MaxQuantity,
      regex: '^\\d+$',
      ...(words.digits && { invalidMessage: words.digits }),
    },
    choice('TermId', words.term ?? 'Term', Terms),
    choice('BillingId', words.billing ?? 'Billing', Billing),
    // A field of the cloud never takes the place of one of ours.
    ...Fields.filter(({ PropertyName }) => isOfProduct(PropertyName)).map(fieldOf),
  ];
}

/** First values: as little as one can order, for as long as most do. */
export function firstValues({ MinQuantity, Terms, Billing }: Product): Values {
  return { Quantity: MinQuantity, TermId: Terms[0]?.Id ?? '', BillingId: Billing[0]?.Id ?? '' };
}

/** The body that the cloud takes: the product's own fields stand apart. */
export function orderBody(values: Values): { readonly [name: string]: unknown; readonly Fields: Values } {
  const { Quantity, TermId, BillingId, Product, ...Fields } = values;
  return { Quantity, TermId, BillingId, Fields };
}

/** Errors of the cloud by the names that the fields have here. */
export function fieldErrors(errors: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(errors).map(([name, said]) => [name.replace(/^Fields[./]/, ''), said]));
}

type Item = Extract<Node, { type: 'facts' }>['items'][number];

type PriceName = keyof Quote;

function priceItems(words: Words, prices: boolean): { readonly name: PriceName; readonly item: Item }[] {
  const money: readonly PriceName[] = prices ? ['UnitPrice', 'MonthlyPrice', 'FirstCharge'] : [];
  const days: readonly PriceName[] = ['FirstChargeDate', 'CancelFreeUntil'];
  return [...money, ...days].map(name => ({
    name,
    item: {
      label: words[name] ?? name,
      path: `reply.Result.values.$${name}`,
      format: days.includes(name) ? ('date' as const) : ('currency' as const),
    },
  }));
}

/** What is shown before one orders, with its price where it is known, and only to those who see prices. */
export function summaryOf(
  product: Product,
  fields: readonly FieldNode[],
  values: Values,
  quote: Quote | undefined,
  words: Words,
  prices: boolean,
): { readonly children: readonly Node[]; readonly values: Values } {
  const shown: Record<string, unknown> = { Name: product.Name };
  const items: Item[] = [{ label: words.product ?? 'Product', path: 'reply.Result.values.Name' }];
  for (const { propertyName, label, options, kind } of fields) {
    const value = values[propertyName];
    if (value === undefined || value === '') continue;
    shown[propertyName] = options?.find(option => option.value === value)?.text ?? value;
    items.push({
      label: label ?? propertyName,
      path: `reply.Result.values.${propertyName}`,
      ...(kind === 'checkbox' && { format: 'yes-no' as const }),
      ...(kind === 'date' && { format: 'date' as const }),
    });
  }
  const ledger = quote ? priceItems(words, prices) : [];
  for (const { name } of ledger) shown[`$${name}`] = quote?.[name];
  return {
    children: [
      ...(ledger.length > 0
        ? [{ type: 'facts' as const, look: 'ledger' as const, items: ledger.map(({ item }) => item) }]
        : []),
      { type: 'facts', look: 'list', items },
    ],
    values: shown,
  };
}
