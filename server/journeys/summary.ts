import type { FactsNode, FieldNode, LayoutText, Node } from '../../shared/language/types.ts';
import { letterOf } from '../../shared/rules/row-letters.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { activeFields, isShownOnly } from '../../shared/rules/validation.ts';
import { isSecret, type StepView } from './journey-steps.ts';

type Item = FactsNode['items'][number];

/** What was answered in the steps before, step by step: labels and values as their fields say them. */
export function summaryNodes(views: readonly StepView[]): Node[] {
  return views.flatMap(view => {
    const shown = activeFields(view.fields, view.values, {}).filter(
      field =>
        !isShownOnly(field) && !isSecret(field) && field.kind !== 'hidden' && hasValue(view.values[field.propertyName]),
    );
    const added = view.groups.filter(group => group.added).map(({ name }) => name);
    const groupOf = ({ propertyName }: FieldNode) =>
      added.find(name => new RegExp(`^${name}\\d+\\D`).test(propertyName));
    const alone = shown.filter(field => groupOf(field) === undefined);
    const children = [
      ...facts(view.id, alone),
      ...added.flatMap(name =>
        rowNodes(
          name,
          view,
          shown.filter(field => groupOf(field) === name),
        ),
      ),
    ];
    return children.length === 0 ? [] : [{ type: 'section', title: view.drawn.title, children } as Node];
  });
}

/** The values that these nodes read, by step. */
export const summaryFacts = (views: readonly StepView[]): Record<string, unknown> =>
  Object.fromEntries(
    views.map(({ id, fields, values }) => {
      const secret = new Set(fields.filter(isSecret).map(({ propertyName }) => propertyName));
      return [id, Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)))];
    }),
  );

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== 0;

const facts = (step: string, fields: readonly FieldNode[]): Node[] =>
  fields.length === 0 ? [] : [{ type: 'facts', look: 'list', items: fields.map(field => itemOf(step, field)) }];

function itemOf(step: string, field: FieldNode): Item {
  const { propertyName, label, kind, options, catalogue } = field;
  const entries = catalogue ?? options;
  return {
    label: label ?? propertyName,
    path: `reply.Result.facts.${step}.${propertyName}`,
    ...(entries && { catalogue: entries.map(({ value, text }) => ({ value, text })) }),
    ...(kind === 'checkbox' || kind === 'switch' ? { format: 'yes-no' as const } : {}),
    ...(kind === 'date' && { format: 'date' as const }),
    ...(kind === 'number' && { format: 'number' as const }),
  };
}

/** The rows that were added, each under its name. */
function rowNodes(name: string, { id, nodes, values }: StepView, fields: readonly FieldNode[]): Node[] {
  const title = titleOf(nodes, name);
  const rows = [...new Set(fields.map(({ propertyName }) => new RegExp(`^${name}(\\d+)`).exec(propertyName)?.[1]))];
  return rows
    .filter(row => values[`${name}${row}`] === true)
    .flatMap((row, index) => [
      { type: 'heading', level: 3, text: interpolate(title, { letter: letterOf(index), number: index + 1 }) } as Node,
      ...facts(
        id,
        fields.filter(({ propertyName }) => new RegExp(`^${name}${row}\\D`).test(propertyName)),
      ),
    ]);
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
