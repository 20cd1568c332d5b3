import type { JSONSchema } from 'json-schema-to-ts';
import { boolean, integer, list, object, pageQuery, params, string, text } from '../http/schema.ts';
import { type Field, fieldOf, fieldsIn, type Resource } from './declaration.ts';

/** The reply of the list. */
export function listSchema(resource: Resource): object {
  const items = list(rowSchema(fieldsIn(resource, 'list')));
  const { largestPage, withoutTotal } = resource.list;
  if (withoutTotal) return items;
  const all = { Items: items as JSONSchema, Total: integer };
  return largestPage === undefined ? object(all) : object({ ...all, TotalIsExact: boolean });
}

export const detailsSchema = (resource: Resource): object => rowSchema(fieldsIn(resource, 'details'));

function rowSchema(fields: readonly Field[]) {
  const shapes = fields.map(({ name, shape = string }) => [name, shape]);
  return {
    ...object(Object.fromEntries(shapes)),
    required: fields.filter(({ isFor }) => isFor === undefined).map(({ name }) => name),
  };
}

/** What the list may be asked; undefined where it is given whole and as it is. */
export function querySchema({ fields, list: { sort, filters, largestPage } }: Resource): object | undefined {
  const sorts = fields.filter(field => field.sorts).flatMap(({ name }) => [name, `-${name}`]);
  const own = {
    ...(sorts.length > 0 && { sort: { enum: sorts, default: sort } }),
    ...(fields.some(field => field.searched) && { search: { ...text(200), default: '' } }),
    ...filters,
  };
  if (largestPage !== undefined) return pageQuery(own, largestPage);
  return Object.keys(own).length === 0 ? undefined : { type: 'object', additionalProperties: false, properties: own };
}

export function bodySchema(resource: Resource, takes: readonly string[]): object {
  const rules = takes.map(name => {
    const { name: plain, rule } = fieldOf(resource, name);
    if (rule === undefined) throw new Error(`${plain} of a ${resource.noun} has no rule.`);
    return [plain, rule] as const;
  });
  return { ...object(Object.fromEntries(rules)), required: takes.filter(name => !name.endsWith('?')) };
}

/** The parameters of a path, as a part of a route's schema. */
export function paramsOf(path: string): { params?: object } {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return names.length === 0 ? {} : { params: params(...names) };
}
