import type { FieldNode, FieldRowsNode, Node, StackNode } from '../language/types.ts';
import { fieldsIn } from './fields.ts';
import { mostRows } from './row-letters.ts';

type Values = Readonly<Record<string, unknown>>;
type RowsRule = Pick<FieldRowsNode, 'propertyName' | 'min' | 'max' | 'children'>;

/**
 * Gives the name of the hidden field that says whether a row of a `field-rows` node exists; rows are counted from 1.
 */
export const rowName = (group: string, row: number): string => `${group}${row}`;

const rowNames = (group: string): string[] => Array.from({ length: mostRows }, (_, index) => rowName(group, index + 1));

/**
 * Writes out a `field-rows` node as plain fields: for each possible row a hidden field that says whether it exists, and
 * a stack of its fields that depends on it. All other code knows plain fields only.
 */
export function spreadRows({ propertyName: group, min = 0, max, children }: RowsRule): StackNode[] {
  const names = new Set(fieldsIn(children).map(field => field.propertyName));
  return rowNames(group)
    .slice(0, max)
    .map((row, index) => {
      const flag: FieldNode = {
        type: 'field',
        kind: 'hidden',
        propertyName: row,
        ...(index < min && { initial: true }),
      };
      const named: Node[] = JSON.parse(JSON.stringify(children), (key, value) => {
        if (key === 'propertyName') return `${row}${value}`;
        if (key === 'testId') return `${value}-${index + 1}`;
        const [, name = ''] = typeof value === 'string' ? (/^form\.(\w+)$/.exec(value) ?? []) : [];
        return names.has(name) ? `form.${row}${name}` : value;
      });
      return {
        type: 'stack',
        children: [flag, { type: 'stack', when: { path: `form.${row}`, is: true }, children: named }],
      };
    });
}

/**
 * Reads the existing rows of a `field-rows` node from a form's values, in order, each with its fields by their own
 * names.
 */
export function readRows(group: string, values: Values): Values[] {
  return rowNames(group)
    .filter(row => values[row] === true)
    .map(row => {
      const own = Object.entries(values).filter(
        ([name]) => name.startsWith(row) && !/^\d|^$/.test(name.slice(row.length)),
      );
      return Object.fromEntries(own.map(([name, value]) => [name.slice(row.length), value]));
    });
}

/** Gives the form values under which these rows are the first ones of a `field-rows` node. */
export function writeRows(group: string, rows: readonly Values[]): Values {
  const names = rowNames(group);
  return Object.fromEntries(
    rows.flatMap((row, index) => [
      [names[index], true],
      ...Object.entries(row).map(([name, value]) => [`${names[index]}${name}`, value]),
    ]),
  );
}
