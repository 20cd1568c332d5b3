import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { object, string } from '../http/schema.ts';
import type { Field } from './declaration.ts';

/** A field of a reply that a query reads, as resources declare theirs. */
type Read = Pick<Field, 'name' | 'shape'> & {
  /** The column, or SQL; absent: the name in snake case ("PaidOn" → `paid_on`). */
  readonly column?: string | RawBuilder<unknown>;
  /** True for money that is written as the number that it is, without its two decimals. */
  readonly isNumber?: true;
};
type ShapeOf<R extends Read> = R extends { readonly shape: infer S extends object } ? S : typeof string;
type ShapesOf<F extends readonly Read[]> = { readonly [R in F[number] as R['name']]: ShapeOf<R> };

/** The fields of a row: `columns` for the select of a query, `shapes` for the schema of a reply; `RowOf` is its type. */
export type Fields<F extends readonly Read[]> = {
  readonly columns: AliasedRawBuilder<unknown, string>[];
  readonly shapes: ShapesOf<F>;
  readonly schema: ReturnType<typeof object<ShapesOf<F>>>;
  readonly list: F;
};

type ValueOf<R extends Read, S = ShapeOf<R>> = S extends { readonly format: 'date-time' }
  ? Date | (S extends { readonly nullable: true } ? null : never)
  : R extends { readonly isNumber: true }
    ? number | (S extends { readonly nullable: true } ? null : never)
    : S extends JSONSchema
      ? FromSchema<S>
      : never;
/** Columns that a query selects. */
export type Selection = { readonly columns: AliasedRawBuilder<unknown, string>[] };
/** A row as a query gives it. */
export type RowOf<F> = F extends { readonly list: infer L extends readonly Read[] }
  ? { readonly [R in L[number] as R['name']]: ValueOf<R> }
  : never;

/** Declares the fields of a row of the table `alias`, which joins may widen. What is text in a reply is read as text. */
export function fields<const F extends readonly Read[]>(alias: string, list: F): Fields<F> {
  const shapes = Object.fromEntries(list.map(({ name, shape = string }) => [name, shape])) as ShapesOf<F>;
  const columns = list.map(({ name, column = snakeCase(name), shape = string, isNumber }: Read) => {
    const value = typeof column === 'string' ? sql.ref(`${alias}.${column}`) : column;
    const { type, format } = shape as { readonly type?: string; readonly format?: string };
    return (type === 'string' && format !== 'date-time' && !isNumber ? sql`(${value})::text` : value).as(name);
  });
  return { list, shapes, columns, schema: object(shapes) };
}

/** The columns of fields, as they stand after "select" in SQL. */
export const selected = ({ columns }: Selection) => sql.join(columns.map(column => sql`${column}`));

/** Writes the name of a field as that of its column: "LastSignIn" → "last_sign_in". */
export const snakeCase = (name: string): string => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();

/** A field that code computes from what was read. */
type Computed<Row> = Pick<Field, 'name' | 'shape'> & { readonly of: (row: Row) => unknown };

/** Declares fields that are computed: `shapes` for the schema of a reply, and `write`, which gives them of a row. */
export const computed = <Row>(list: readonly Computed<Row>[]) => ({
  shapes: Object.fromEntries(list.map(({ name, shape = string }): [string, object] => [name, Object(shape)])),
  write: (row: Row) => Object.fromEntries(list.map(({ name, of }) => [name, of(row)])),
});
