/** What stands where a document in short form says nothing. */
export type ShortDefault =
  /** Always the same. */
  | { readonly is: unknown }
  /** The values of other properties, as in `{id}-table`: in lower case with hyphens, or as the name of a value. */
  | { readonly name: string; readonly style: 'hyphens' | 'camel' }
  /** The text `<area>.<document>.<name>` or `<area>.<name>`, named as another property is. */
  | { readonly text: string }
  /** The text beside another one: `customers.noneText` beside `customers.none` or `customers.noneTitle`. */
  | { readonly beside: string; readonly adds: string }
  /** The title of the card, section, tab or document around. */
  | { readonly heading: true }
  /** What the contract or the operation says of what a property reads. */
  | { readonly known: KnownFact; readonly of?: string; readonly unless?: string };

/** What is known of a path without writing it. */
export type KnownFact =
  | 'catalogue'
  | 'exact'
  | 'filters'
  | 'format'
  | 'key'
  | 'order'
  | 'page'
  | 'pages'
  | 'size'
  | 'sort'
  | 'source'
  | 'total';

/**
 * How an object is written short, beside its schema: each of these has one reading. What is told by a default can be
 * written all the same, and `false` in its place says that there is none.
 */
export type Short = {
  /** Of a node or effect: `{ "<type>": <value of this property>, … }` leaves out "type" or "do". */
  readonly head?: string;
  /** A string in its place is the value of this property. */
  readonly bare?: string;
  /** One name that is no property, with its value, are these two. */
  readonly pair?: readonly [name: string, value: string];
  /** In the head, "?" behind the name of a value leaves this property out; without, it is true. */
  readonly unlessOptional?: string;
  /** A path that begins with no root is one of the row. */
  readonly ofRow?: string;
  /** By property. They hold where the object, or the node around, is written in short form. */
  readonly defaults?: Readonly<Record<string, ShortDefault>>;
};
