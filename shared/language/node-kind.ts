/** What the server must know of a node kind besides its schema: the checker, compiler and trimmer know no kind by name. */
export type NodeRules = {
  /**
   * How it counts when what is around it is trimmed; without a role it is content.
   * - decoration: only accompanies others. A container left with nothing else is pruned.
   * - control: only chooses what others show, by what it keeps at `path`. A tab, card or screen left with nothing else is pruned.
   * - arrangement: only arranges others. It may hold controls alone, and counts for what it holds.
   */
  readonly role?: 'decoration' | 'control' | 'arrangement';
  /** Property whose conditions and calls are for rows that no page shows as well: what is joined to rows is not known there. */
  readonly beyondPage?: string;
  /** It may call the server though the document gives it no handlers. */
  readonly calls?: true;
  /** The commands behind it; without one of them it goes. */
  readonly commands?: readonly string[];
  /** Property that names the operation it reads once it is opened, with its parameters in `with`. */
  readonly reads?: string;
  /** Handler whose one command leads the steps inside. */
  readonly leads?: string;
  /** Property that names the journey which it draws, and the properties that this brings; without it the node has them. */
  readonly journey?: { readonly name: string; readonly brings: readonly string[] };
  /** Values that it hands its texts itself. */
  readonly ownValues?: readonly string[];
  /** Properties with places that it reads itself, besides what data sources read there. */
  readonly readsPlaces?: readonly string[];
  /** The values of `options` are kept at `path`, where operations must take them. */
  readonly offersValues?: true;
  /** Its `rows` are all that can be chosen, so that they must not be a page of a longer list, unless this property is there. */
  readonly offersRows?: { readonly unless?: string };
  /**
   * By property with a place, the values that it keeps there: these, or of each entry of a list one property; `unless`
   * names a property that adds values which nobody knows before (where they are ids, constants are still of the list).
   */
  readonly choices?: Readonly<
    Record<string, readonly string[] | { readonly each: string; readonly value: string; readonly unless?: string }>
  >;
  /** First parts of the runtime's words that nobody says but it, and what stands beside it: who has none needs none. */
  readonly ownWords?: readonly string[];
  /** The same for those that only one `kind` of it says, by that kind. */
  readonly wordsOfKinds?: Readonly<Record<string, string>>;
  /** Exports and charts name it as their table. */
  readonly isTable?: true;
  /** Of two properties it has exactly one. */
  readonly either?: { readonly names: readonly string[]; readonly says: string };
  /** Texts of buttons, each of which needs the handler of its name, as that needs its text. */
  readonly handlerTexts?: readonly string[];
  /**
   * What it is to a form.
   * - opens: a form, with the fields of its form document or of its children.
   * - field: one value of a form.
   * - rows: fields of a form several times (see shared/rules/rows.ts).
   */
  readonly form?: 'opens' | 'field' | 'rows';
  /** It is one value of the form around, `propertyName`, whose field it brings itself. */
  readonly holds?: { readonly kind: 'text-area' | 'list'; readonly maxLength: number };
  /** Property that names the list of answers, where the fields among its children are asked for each of its rows. */
  readonly offers?: string;
  /** Property with fields that each of its rows has, as a form of its own. */
  readonly fieldsOfRow?: string;
  /** Its children are fields of one kind. */
  readonly childFields?: { readonly kind: string; readonly says: string };
};

type Json = Readonly<Record<string, unknown>>;

/** One node kind: a file like this one, in the list of `nodes.ts`, is all that the server needs. */
export type NodeKind = {
  readonly schema: Json & {
    readonly description: string;
    readonly type: 'object';
    readonly required: readonly string[];
    readonly properties: Json & { readonly type: { readonly const: string } };
  };
  readonly rules?: NodeRules;
  /** Nodes that show it, in short form as documents have them: the reference and the tests draw them. */
  readonly example: readonly Json[];
};
