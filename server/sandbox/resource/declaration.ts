import type { JSONSchema } from 'json-schema-to-ts';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Need } from '../auth/needs.ts';
import type { Action, Event } from '../customers/activity.ts';
import type { Audience, Hint } from '../notifications/hints.ts';
import type { Write } from '../tables.ts';
import type { Owner } from './owners.ts';

/** A row as the database gives it, by the names of its columns. Every table has an `id` that is a number. */
export type Row = Readonly<Record<string, unknown>>;

/** A value under its name on the wire. */
export type Field<R = Row> = {
  readonly name: string;
  /** The column, or an expression computed in SQL. Absent: the name in snake case. */
  readonly column?: (keyof R & string) | ((caller: Caller) => RawBuilder<unknown>);
  /** Its schema in replies; text if absent. */
  readonly shape?: JSONSchema;
  /** Place that it is in (`write`: the replies of writes that give it); the list, details and bodies if absent. */
  readonly only?: 'list' | 'details' | 'body' | 'write';
  /** True for callers who may see it; for everybody if absent. Others do not get the field at all. */
  readonly isFor?: (caller: Caller) => boolean;
  readonly sorts?: true;
  readonly searched?: true;
  /** Schema of its value in a body; a field without a rule is never taken from a body. */
  readonly rule?: JSONSchema;
  /** Makes the stored value of the given one: `trimmed`, `lowered`. */
  readonly stored?: (given: string) => string;
  /** The value in a new row of a field that a body does not say. */
  readonly made?: (now: Date, caller: Caller | undefined) => unknown;
  /** Name in activity; the field's name in words if absent ("ContactName": "Contact name"). */
  readonly label?: string;
};

/** A write in its one transaction. `body`: as it came; empty for a deletion. */
export type Writing = { readonly trx: Write; readonly caller: Caller; readonly now: Date; readonly body: Row };
export type WritingOf<R> = Writing & { readonly row: R };
/** Of what is created: `owned` are the columns that name its owner. */
export type Creating = Writing & { readonly owned: Row };

export type OperationName = 'create' | 'change' | 'remove';

export type Operation<R, Before> = {
  readonly needs: Need;
  /** Recorded in the activity of the customer who owns the row, or else of the reseller; absent: nothing is. */
  readonly action?: Action;
  /** The fields that activity tells; those that are taken if absent (for a deletion, by `create`). */
  readonly tells?: readonly string[];
  /** Gives what else activity says of a row. */
  event?(row: R): Partial<Event>;
  /** Locks what comes before the row in the order of locks. */
  holds?(writing: Writing): Promise<void>;
  /** Refuses by throwing; gives more columns to store. */
  before?(writing: Before): Promise<Row | undefined>;
  /** Does what belongs to the write. */
  after?(writing: WritingOf<R>): Promise<void>;
};
/** `takes`: the fields that the body may name; one with "?" at its end may be left out. */
type Takes = { readonly takes: readonly string[] };

/** `gives`: fields of the row, as it was before, that the reply has. */
type Gives = { readonly gives?: readonly string[] };

/** A verb at the address of a row, such as `suspend`: from one state to another. */
export type Verb<R> = Gives &
  Pick<Operation<R, WritingOf<R>>, 'needs' | 'action' | 'event' | 'holds' | 'before' | 'after'> & {
    /** Columns and the values that the row must have, and those that it gets; activity tells both. */
    readonly from: Row;
    readonly to: Row;
    /** Said where the row is in another state (409). */
    readonly otherwise: string;
    /** Said when it is done. */
    readonly said: string;
    /** True: it may need the approval of another person (`requireApproval` in a hook). */
    readonly mayWait?: true;
  };

export type List = {
  readonly needs: Need;
  /** The order unless the query asks for another; descending with "-" before the name. */
  readonly sort: string;
  /** Parameters of the query that a column must equal; "all" stands for every row. */
  readonly filters?: Readonly<Record<string, JSONSchema>>;
  /** The largest page that may be asked for; absent: all rows at once. */
  readonly largestPage?: number;
  /** SQL over the table for what a search finds, where indexes find it; else the texts of `searched` fields are compared. */
  readonly finds?: (words: string, caller: Caller) => RawBuilder<boolean>;
  /** The reply is the page alone. */
  readonly withoutTotal?: true;
  /** `Counts`: of the rows that the rest of the query finds, how many one filter would leave, by its values. */
  readonly counts?: { readonly filter: string; readonly values: Readonly<Record<string, unknown>> };
  /** Name of a CSV file of all rows that the query finds, at the address of the list and "/csv"; absent: there is none. */
  readonly csv?: string;
};

/** A plain resource: `addResourceRoutes` makes its routes, its SQL and its part of the OpenAPI document. */
export type Resource<R = Row> = {
  /** Name of one of them in messages: "user". */
  readonly noun: string;
  readonly tag: string;
  readonly table: string;
  /** Address of the list. The address of one row is this and its id, under the name `key`. */
  readonly path: string;
  readonly key: string;
  /** The field that the key names a row by, whatever its case; its id if absent. */
  readonly keyField?: string;
  readonly owner: Owner;
  readonly fields: readonly Field<R>[];
  /** The field that activity names a row by. */
  readonly title: string;
  /** Tables whose columns fields read too: rows are found by what a column of the resource refers to. */
  readonly joins?: readonly { readonly table: string; readonly on: string; readonly refersTo: string }[];
  readonly list: List;
  /** Further lists of the same rows, by their addresses. */
  readonly lists?: Readonly<Record<string, List>>;
  readonly read?: { readonly needs: Need };
  readonly create?: Operation<R, Creating> & Takes;
  readonly change?: Operation<R, WritingOf<R>> & Takes;
  readonly remove?: Operation<R, WritingOf<R>> & Gives;
  readonly verbs?: Readonly<Record<string, Verb<R>>>;
  /** Gives the audience that each write tells to look again. */
  hint?(row: R): { readonly to: Audience; readonly hint: Hint };
  /** Rows put in once, as a part of this name that never changes: by owner (see owners.ts), then by field. */
  readonly seed?: { readonly part: string; readonly rows: Readonly<Record<string, readonly Row[]>> };
};

/** Gives a resource without the type of its rows, as routes and SQL take those of all resources alike. */
export const withoutRowType = <R>(resource: Resource<R>): Resource => resource as unknown as Resource;

/** Removes white space around a text; for fields of a resource that are stored so. */
export const trimmed = (given: string): string => given.trim();
/** Writes a text in lower case; for fields of a resource that are stored so. */
export const lowered = (given: string): string => given.toLowerCase();
