import type { FactsNode, FieldNode, LayoutText, Node } from '../../shared/language/types.ts';
import { isSecret } from '../../shared/rules/fields.ts';
import { letterOf, mostRows } from '../../shared/rules/row-letters.ts';
import { rowName } from '../../shared/rules/rows.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { activeFields, isShownOnly } from '../../shared/rules/validation.ts';
import type { StepView } from './journey-steps.ts';

type Item = FactsNode['items'][number];

/** Makes the nodes of a journey's summary: the labels and values of all answers, step by step. */
export function summaryNodes(views: readonly StepView[]): Node[] {
  return views.flatMap(view => {
    const { id, drawn } = view;
    const lists = addedLists(view).map(
      ({ name }): Node => ({
        ...{ type: 'list', label: drawn.title, rows: `reply.Result.facts.${id}.${name}`, key: 'Name' },
        ...{ titlePath: 'row.Name', detail: 'row.Detail', emptyText: '' },
      }),
    );
    const alone = shownFields(view).filter(field => !addedLists(view).some(list => list.has(field)));
    const items = alone.map(field => itemOf(id, field));
    const children: Node[] = [...(items.length > 0 ? [{ type: 'facts', look: 'list', items } as const] : []), ...lists];
    return children.length === 0 ? [] : [{ type: 'section', title: drawn.title, children } as Node];
  });
}

/** Gives the values that the nodes of `summaryNodes` read, by step. */
export const summaryFacts = (views: readonly StepView[]): Record<string, unknown> =>
  Object.fromEntries(
    views.map(view => {
      const secret = new Set(view.fields.filter(isSecret).map(({ propertyName }) => propertyName));
      const typed = Object.entries(view.values).filter(([name]) => !secret.has(name));
      return [view.id, { ...Object.fromEntries(typed), ...Object.fromEntries(addedLists(view).map(rowsOf(view))) }];
    }),
  );

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== 0;

const shownFields = ({ fields, values }: StepView): FieldNode[] =>
  activeFields(fields, values, {}).filter(
    field => !isShownOnly(field) && !isSecret(field) && field.kind !== 'hidden' && hasValue(values[field.propertyName]),
  );

type AddedList = { readonly name: string; has(field: FieldNode): boolean };

/** The lists of rows that the user has added. */
const addedLists = ({ groups }: StepView): AddedList[] =>
  groups.flatMap(({ name, kind }) => {
    const ofRow = new RegExp(`^${name}\\d+\\D`);
    return kind === 'rows' ? [{ name, has: ({ propertyName }) => ofRow.test(propertyName) }] : [];
  });

function itemOf(step: string, field: FieldNode): Item {
  const { propertyName, label, kind, options, catalogue } = field;
  const entries = catalogue ?? options;
  return {
    label: label ?? propertyName,
    path: `reply.Result.facts.${step}.${propertyName}`,
    ...(entries && { catalogue: entries.map(({ value, text }) => ({ value, text })) }),
    ...(kind === 'checkbox' || kind === 'switch' ? { format: 'yes-no' as const } : {}),
    ...((kind === 'date' || kind === 'date-time') && { format: kind }),
    ...(kind === 'number' && { format: 'number' as const }),
  };
}

/** Of each row its name with its first value, and the others in one line. */
const rowsOf =
  (view: StepView) =>
  ({ name }: AddedList): [name: string, rows: readonly { Name: string; Detail: string }[]] => {
    const { nodes, values } = view;
    const title = titleOf(nodes, name);
    const fields = shownFields(view);
    const rows = Array.from({ length: mostRows }, (_, index) => rowName(name, index + 1));
    const there = rows.filter(row => values[row] === true);
    return [
      name,
      there.map((row, index) => {
        const own = fields.filter(({ propertyName }) => propertyName.startsWith(row) && !isLonger(propertyName, row));
        const [first, ...others] = own.map(field => writtenValue(field, values[field.propertyName]));
        const called = interpolate(title, { letter: letterOf(index), number: index + 1 });
        return { Name: first === undefined ? called : `${called}: ${first}`, Detail: others.join(', ') };
      }),
    ];
  };

/** True for a field of row 12 where row 1 is meant. */
const isLonger = (propertyName: string, row: string): boolean => /^\d/.test(propertyName.slice(row.length));

/** What was chosen by its name, and a figure with what it counts. */
function writtenValue({ label, kind, options, catalogue }: FieldNode, value: unknown): string {
  const entry = (catalogue ?? options)?.find(option => option.value === value);
  if (entry) return interpolate(entry.text, {});
  const said = label === undefined ? '' : interpolate(label, {});
  if (kind === 'number') return `${said}: ${String(value)}`;
  return value === true ? said : String(value);
}

function titleOf(nodes: readonly Node[], name: string): LayoutText {
  for (const node of nodes) {
    const { propertyName, title, children } = node as {
      readonly propertyName?: string;
      readonly title?: LayoutText;
      readonly children?: readonly Node[];
    };
    if (propertyName === name && title !== undefined) return title;
    const inner = children ? titleOf(children, name) : '';
    if (inner !== '') return inner;
  }
  return '';
}
