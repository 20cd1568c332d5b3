/** There is no default where a property has this value, such as the label of what is never seen. */
type ExceptOf = Readonly<Record<string, string>>;

/** What stands where a document in short form says nothing. */
export type ShortDefault =
  /** Always the same. */
  | { readonly is: unknown; readonly within?: 'popup' }
  /** The values of other properties, as in `{id}-table`: in lower case with hyphens, or as the name of a value. */
  | { readonly name: string; readonly style: 'hyphens' | 'camel'; readonly exceptOf?: ExceptOf }
  /** The text `<area>.<document>.<name>` or `<area>.<name>`, named as another property is. */
  | { readonly text: string; readonly exceptOf?: ExceptOf }
  /** The text beside another one: `customers.noneText` beside `customers.none` or `customers.noneTitle`. */
  | { readonly beside: string; readonly adds: string; readonly ifThere?: true }
  /** The text `<area>.<document>.<name>`, and no other: what it says is of this document alone; or, of what may be the one of its area, `<area>.<name>`. */
  | { readonly ownText: string; readonly orOfArea?: true }
  /** The text `<area>.<document>.<name>` or `<area>.<name>`, where there is one, else a text of the portal. */
  | { readonly namedText: string; readonly within?: 'popup'; readonly elseText?: string }
  /** As another property. */
  | { readonly same: string }
  /** By a word in the name of another value, as `email` for `ContactEmail`: of all its words, or the first. */
  | {
      readonly words: Readonly<Record<string, string>>;
      readonly of: string;
      readonly at?: 'start';
      readonly otherwise?: string;
    }
  /** By the value of another property. */
  | { readonly by: string; readonly values: Readonly<Record<string, unknown>> }
  /** Of the first entry of a list. */
  | { readonly ofFirst: unknown }
  /** The title of the card, section, tab or document around. */
  | { readonly heading: true }
  /** What the contract or the operation says of what a property reads. */
  | { readonly known: KnownFact; readonly of?: string; readonly unless?: string };

/** What is known of a path without writing it. */
export type KnownFact =
  | 'catalogue'
  | 'count'
  | 'exact'
  | 'filters'
  | 'format'
  | 'key'
  | 'order'
  | 'page'
  | 'pages'
  | 'refreshOn'
  | 'size'
  | 'sort'
  | 'source'
  | 'titlePath'
  | 'total';

/**
 * How an object is written short, beside its schema: each of these has one reading. What is told by a default can be
 * written all the same, and `false` in its place says that there is none.
 */
export type Short = {
  /** Of a node or effect: `{ "<type>": <value of this property>, … }` leaves out "type" or "do". */
  readonly head?: string;
  /** The head of another type stands for this one where one of these properties goes with it, and gives what else it says. */
  readonly otherHead?: {
    readonly name: string;
    readonly with: readonly string[];
    readonly gives: Readonly<Record<string, string>>;
  };
  /** A node that has this property, and neither a type nor a head, is of this type. */
  readonly calledBy?: string;
  /** A string in its place is the value of this property. */
  readonly bare?: string;
  /** One name that is no property, with its value, are these two. */
  readonly pair?: readonly [name: string, value: string];
  /** In the head, "?" behind the name of a value leaves this property out; without, it is true. */
  readonly unlessOptional?: string;
  /** "?" behind the value of one property gives another its value. */
  readonly ifOptional?: { readonly of: string; readonly gives: string; readonly is: string };
  /** Of the values of a text: what is no word or number is written as its contract says, where no format is named. */
  readonly formatted?: true;
  /** Entries say how many there are of each: of the choice kept where a property says, if others have these values. */
  readonly counted?: { readonly of: string; readonly where: Readonly<Record<string, readonly string[]>> };
  /** A path that begins with no root is one of the row. */
  readonly ofRow?: string;
  /**
   * By property. They hold where the object, or the node around, is written in short form; a document is where it does
   * not say its id.
   */
  readonly defaults?: Readonly<Record<string, ShortDefault>>;
};
