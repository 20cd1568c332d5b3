import { contractOf } from '../../../server/layouts/contract/operation-contract.ts';
import type { Contract, RecordContract, ValueContract } from '../../../server/layouts/names/contract.ts';
import type { ValueKind } from '../../../shared/language/reply.ts';
import type { Operation } from '../../../shared/language/types.ts';

/** The list of a reply that a table can show. */
export type ShownList = {
  /** Where it stands below the reply, such as `Result.Items`. */
  readonly path: string;
  readonly item: RecordContract;
  /** Field that identifies an item. */
  readonly key: string;
  /** Paths of how many there are on all pages, and of whether that is exact. */
  readonly total?: string;
  readonly exact?: string;
};

/** How long ago something was, in words. A column says so itself: by its kind alone it would say day and time. */
export const relative = 'friendly-date';

/** How a table writes the values of each kind; undefined where a table cannot show them. */
const formats: Readonly<Record<ValueKind, string | undefined>> = {
  text: 'text',
  id: undefined,
  code: 'text',
  email: 'text',
  phone: 'text',
  domain: 'text',
  url: 'text',
  count: 'number',
  number: 'number',
  percent: 'percent',
  money: 'currency',
  bytes: 'bytes',
  day: 'date',
  time: relative,
  epoch: relative,
  duration: 'text',
  'yes-no': 'yes-no',
  html: undefined,
  colour: undefined,
  file: undefined,
};

/** The first list of objects in the reply of an operation; undefined where it has none. */
export function shownList(operation: Operation): ShownList | undefined {
  const contract = operation.method === 'GET' ? contractOf(operation) : undefined;
  return contract && findList(contract, 'Result');
}

function findList(contract: Contract, path: string, around?: RecordContract): ShownList | undefined {
  if (contract.type === 'list' && contract.item.type === 'record') {
    const { item } = contract;
    const key = keyOf(item);
    if (key === undefined) return undefined;
    const beside = path.split('.').slice(0, -1).join('.');
    const has = (name: string, kind: ValueKind) => {
      const field = around?.fields.get(name);
      return field?.type === 'value' && field.kind === kind;
    };
    return {
      ...{ path, item, key },
      ...(has('Total', 'count') && { total: `${beside}.Total` }),
      ...(has('TotalIsExact', 'yes-no') && { exact: `${beside}.TotalIsExact` }),
    };
  }
  if (contract.type !== 'record') return undefined;
  for (const [name, inner] of contract.fields) {
    const found = findList(inner, `${path}.${name}`, contract);
    if (found) return found;
  }
  return undefined;
}

/** Everybody who has an item has its key. */
function keyOf({ fields }: RecordContract): string | undefined {
  const values = [...fields].filter(
    ([, field]) => field.type === 'value' && !field.optional && field.requires.length === 0,
  ) as [string, ValueContract][];
  const isKey = ([, { kind }]: [string, ValueContract]) => kind === 'id';
  const isName = ([, { kind }]: [string, ValueContract]) => ['text', 'email', 'domain', 'code'].includes(kind);
  const [first] = values;
  // Behind the first field an id may be that of something else, such as the customer of an order.
  return (first && isKey(first) ? first : (values.find(isName) ?? values.find(isKey)))?.[0];
}

export type ShownField = { readonly name: string; readonly format?: string; readonly catalogue?: string };

/**
 * Chooses up to `most` fields of a list's items for a table's columns, in the order of the contract; `others` are the
 * names of the rest.
 */
export function shownFields(
  { item }: ShownList,
  most: number,
): { readonly shown: readonly ShownField[]; readonly others: readonly string[] } {
  const all = [...item.fields];
  const shown = all
    .flatMap(([name, field]): ShownField[] => {
      const format = field.type === 'value' ? formats[field.kind] : undefined;
      if (field.type !== 'value' || format === undefined) return [];
      if (field.catalogue !== undefined) return [{ name, catalogue: field.catalogue }];
      return [format === 'text' ? { name } : { name, format }];
    })
    .slice(0, most);
  return { shown, others: all.map(([name]) => name).filter(name => !shown.some(field => field.name === name)) };
}
