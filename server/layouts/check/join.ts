import type { DataSource, Operation } from '../../../shared/language/types.ts';
import { mostKeys } from '../../../shared/rules/joined-rows.ts';
import { type CompileContext, into, report } from '../names/compile-context.ts';
import { fieldBelow, namesAt } from '../names/contract.ts';
import { listOfJoin } from '../names/joins.ts';
import { listOf, suggest } from '../names/problem.ts';
import { joinedTo, keyOfList, type PathTarget } from '../names/scope.ts';

/** Data sources that may join one list. */
const mostJoins = 4;
/** Characters that a parameter must hold for the keys of a page. */
const leastLength = 20 * mostKeys;

const isOfRow = (binding: unknown): boolean => typeof binding === 'string' && binding.startsWith('row.');

/**
 * Checks a data source that joins the rows of another one: which list, the keys that are sent, and the field that holds
 * the key. `place` is inside the source, where `row` is a row of the list.
 */
export function checkJoin(value: Partial<DataSource>, place: CompileContext): void {
  const { rows, by } = value;
  if (rows === undefined) {
    for (const name of ['by', 'as'] as const)
      if (value[name] !== undefined) report(into(place, name), `"${name}" goes with "rows", the list that is joined.`);
    return;
  }
  const name = String(place.at.at(-1));
  const { row } = place.scope;
  if (keyOfList(row) === undefined) {
    report(into(place, 'rows'), 'What is joined are the rows of another data source of this document, "data.…".');
    return;
  }
  const data = (place.source.json.data ?? {}) as Readonly<Record<string, DataSource>>;
  const [, of = ''] = rows.split('.');
  if (of === name || data[of]?.rows !== undefined)
    report(into(place, 'rows'), `The rows of "${of}" are joined themselves.`);
  const others = Object.entries(data).filter(([, other]) => other.rows === rows);
  if (others.length > mostJoins && others.findIndex(([other]) => other === name) >= mostJoins)
    report(place, `At most ${mostJoins} data sources join one list.`);
  checkName(value, name, place);
  checkKeys(value, data[of], place);
  checkBy(by, listOfJoin(place.scope.sources.get(name)), String(value.operation), place);
}

/** Reports a joined value that would hide a field of the row. */
function checkName({ as }: Partial<DataSource>, name: string, place: CompileContext): void {
  const { row } = place.scope;
  const called = as ?? name;
  if (row?.in === 'operation' && row.field && fieldBelow(row.field, called))
    report(as === undefined ? place : into(place, 'as'), `The rows have a field "${called}": give another name.`);
}

function checkKeys(
  { operation: name, with: bindings = {} }: Partial<DataSource>,
  source: DataSource | undefined,
  place: CompileContext,
): void {
  const keys = Object.keys(bindings).filter(parameter => isOfRow(bindings[parameter]));
  if (keys.length !== 1) {
    const found = keys.length === 0 ? 'none does' : `${listOf(keys)} do`;
    report(place, `One parameter of "with" takes the keys of the rows, as "row.…": here ${found}.`);
    return;
  }
  const [parameter = ''] = keys;
  const operation = place.names.operations.get(String(name));
  const rule: NonNullable<Operation['with']>[string] | undefined = operation?.with?.[parameter];
  const at = into(place, 'with', parameter);
  if (rule && (rule.type !== 'string' || (rule.maxLength ?? leastLength) < leastLength || rule.enum))
    report(
      at,
      `"${parameter}" of "${name}" takes the keys of ${mostKeys} rows: a string of ${leastLength} characters.`,
    );
  if (operation?.path.includes(`{${parameter}}`))
    report(at, `"${parameter}" stands in the path of "${name}", which is asked once for all rows.`);
  const most = place.names.operations.get(source?.operation ?? '')?.with?.['pageSize']?.maximum;
  if (most !== undefined && most > mostKeys)
    report(into(place, 'rows'), `A page of "${source?.operation}" has up to ${most} rows, and ${mostKeys} are joined.`);
}

function checkBy(by: string | undefined, list: PathTarget | undefined, operation: string, place: CompileContext): void {
  if (!place.names.operations.has(operation)) return;
  if (list?.in !== 'operation' || !list.field) {
    report(place, `"${operation}" gives no list, neither as its Result nor as Items in it.`);
    return;
  }
  const names = namesAt(list.field);
  if (by === undefined)
    report(place, `"by" says which field of "${operation}" holds the key of a row: one of ${listOf(names)}.`);
  else if (!names.includes(by))
    report(into(place, 'by'), `The items of "${operation}" have no "${by}".${suggest(by, names)}`);
}

/** Reports an order by what is joined: the operation of a list knows nothing of it. */
export function checkJoinedOrder(path: string, place: CompileContext): boolean {
  const [root, name = ''] = path.split('.');
  const isJoined = root === 'row' && joinedTo(place.scope, name) !== undefined;
  if (isJoined) report(place, `"${path}" is joined to the rows: the list cannot be sorted by it.`);
  return isJoined;
}
