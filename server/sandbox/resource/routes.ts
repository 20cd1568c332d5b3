import type { JSONSchema } from 'json-schema-to-ts';
import type { Caller } from '../auth/caller.ts';
import { WithMessage } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, integer, list, object, pageQuery, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Write } from '../tables.ts';
import {
  type Field,
  type List,
  type OperationName,
  type Resource,
  type Row,
  type Verb,
  withoutRowType,
} from './declaration.ts';
import type { Path } from './owners.ts';
import { fieldOf, fieldsIn, type ListQuery, listRows, readFields, readRow, runVerb, writeRow } from './rows.ts';

/** Adds the routes (list, read, create, change, delete) of a resource, as far as it declares these operations. */
export function addResourceRoutes<R>(app: App, { db, now }: Pick<Parts, 'db' | 'now'>, declared: Resource<R>): void {
  const resource = withoutRowType(declared);
  const { noun, tag, path, key, read, create, change, remove } = resource;
  const onePath: string = `${path}/:${key}`;
  const route = routeAdder(app, db, { tags: [tag] });
  type Call = { readonly caller: Caller; readonly params: Path; readonly body: unknown };
  const write = (operation: OperationName, { caller, params, body }: Call, trx: Write) =>
    writeRow(resource, operation, { trx, caller, now: now(), body: (body ?? {}) as Row }, params);

  for (const [at, list] of Object.entries({ [path]: resource.list, ...resource.lists })) {
    const { needs, largestPage, csv } = list;
    const narrowing = narrowingOf(resource, list);
    const paged = largestPage !== undefined && { query: pageQuery(narrowing, largestPage) as JSONSchema };
    route(`GET ${at}`, { needs, ...paged, reply: listSchema(resource, list) }, ({ caller, params, query }) =>
      listRows(db, resource, list, { caller, path: params, query: query as ListQuery }),
    );
    if (csv === undefined) continue;
    const whole = { ...list, withoutTotal: true } as const;
    const fields = fieldsIn(resource, 'list');
    const file = { needs, query: partial(narrowing) as JSONSchema, file: 'text/csv' } as const;
    route(`GET ${at}/csv`, file, async ({ caller, params, query }) => {
      const seen = fields.filter(({ isFor }) => isFor?.(caller) ?? true).map(({ name }) => name);
      const asking = { caller, path: params, query: query as ListQuery };
      const rows = (await listRows(db, resource, whole, asking)) as Row[];
      return { name: csv, rows: [seen, ...rows.map(row => seen.map(name => inCell(row[name])))] };
    });
  }

  if (create) {
    const { needs, takes } = create;
    const made = object({ [key]: id });
    route(`POST ${path}`, { needs, once: true, body: bodySchema(resource, takes), made }, async call => ({
      [key]: String((await write('create', call, call.trx)).id),
    }));
  }
  if (read)
    route(`GET ${onePath}`, { ...read, reply: rowSchema(fieldsIn(resource, 'details')) }, ({ caller, params }) =>
      readRow(db, resource, caller, params),
    );
  if (change) {
    const { needs, takes } = change;
    route(`PUT ${onePath}`, { needs, body: bodySchema(resource, takes) }, async call => {
      await db.transaction().execute(trx => write('change', call, trx));
      return `The ${noun} was saved.`;
    });
  }
  /** Adds a write on a row. What it gives is read before: a deleted row has nothing to read. */
  const addWrite = (
    at: string,
    { needs, gives, said, holds, mayWait }: Pick<Verb<Row>, 'needs' | 'gives' | 'said' | 'holds' | 'mayWait'>,
    run: (call: { readonly trx: Write; readonly caller: Caller; readonly params: Path }) => Promise<unknown>,
  ): void => {
    const given = gives && { reply: rowSchema(gives.map(one => fieldOf(resource, one))) };
    route(at, { needs, once: true, ...(mayWait && { mayWait }), ...given }, async ({ trx, caller, params }) => {
      await holds?.({ trx, caller, now: now(), body: {} });
      const row = gives && (await readFields(trx, resource, gives, { caller, path: params }));
      await run({ trx, caller, params });
      return row ? new WithMessage(row, said) : said;
    });
  };
  for (const [name, verb] of Object.entries(resource.verbs ?? {}))
    addWrite(`POST ${onePath}/${name}`, verb, ({ trx, caller, params }) =>
      runVerb(resource, verb, { trx, caller, now: now(), body: {} }, params),
    );
  if (remove)
    addWrite(`DELETE ${onePath}`, { ...remove, said: `The ${noun} was deleted.` }, call =>
      write('remove', { ...call, body: undefined }, call.trx),
    );
}

const inCell = (value: unknown): string | number => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' ? value : String(value ?? '');
};

function listSchema(resource: Resource, { largestPage, withoutTotal, counts }: List): object {
  const items = list(rowSchema(fieldsIn(resource, 'list')));
  if (withoutTotal) return items;
  return object({
    Items: items as JSONSchema,
    Total: integer,
    ...(largestPage !== undefined && { TotalIsExact: boolean }),
    ...(counts && { Counts: object(Object.fromEntries(Object.keys(counts.values).map(name => [name, integer]))) }),
  });
}

function rowSchema(fields: readonly Field[]) {
  const required = fields.filter(({ isFor }) => isFor === undefined).map(({ name }) => name);
  return { ...object(Object.fromEntries(fields.map(({ name, shape = string }) => [name, shape]))), required };
}

/** The parameters that order and narrow a list. */
function narrowingOf({ fields }: Resource, { sort, filters }: List): Record<string, JSONSchema> {
  const sorts = fields.filter(field => field.sorts).flatMap(({ name }) => [name, `-${name}`]);
  return {
    ...(sorts.length > 0 && { sort: { enum: sorts, default: sort } }),
    ...(fields.some(field => field.searched) && { search: { ...text(200), default: '' } }),
    ...filters,
  };
}

function bodySchema(resource: Resource, takes: readonly string[]): JSONSchema {
  const rules = takes.map(taken => {
    const { name, rule } = fieldOf(resource, taken);
    if (rule === undefined) throw new Error(`${name} of a ${resource.noun} has no rule.`);
    return [name, rule] as const;
  });
  return { ...object(Object.fromEntries(rules)), required: takes.filter(taken => !taken.endsWith('?')) };
}
