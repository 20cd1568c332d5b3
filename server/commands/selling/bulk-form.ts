import { gridKind } from '../../../shared/language/nodes/grid.ts';
import type { FieldNode, GridNode, Node } from '../../../shared/language/types.ts';
import { heldField } from '../../../shared/rules/held-field.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { labelOf, type Words } from '../wizard/step-reply.ts';

type Column = Pick<GridNode, 'id' | 'label' | 'rows' | 'fields'> & Partial<GridNode>;

const grid = (words: Words, more: Column): Node => ({
  type: 'grid',
  key: 'CustomerId',
  titlePath: 'row.Name',
  heading: labelOf(words, 'Customer'),
  searchLabel: labelOf(words, 'findCustomer'),
  noMatchText: labelOf(words, 'noCustomer'),
  ...more,
});

/**
 * Makes the nodes that list the customers left out of an order for many, with the reasons; none without such customers.
 */
export function leftOutNodes(words: Words, leftOut: readonly unknown[], locale: string): Node[] {
  if (leftOut.length === 0) return [];
  return [
    {
      type: 'alert',
      kind: 'wait',
      testId: 'left-out',
      text: interpolate(labelOf(words, 'leftOut'), { count: leftOut.length }, locale),
    },
    grid(words, {
      id: 'leftOut',
      label: labelOf(words, 'leftOutList'),
      rows: 'reply.Result.values.$leftOut',
      fields: [{ type: 'field', kind: 'display', propertyName: 'Reason', label: labelOf(words, 'why') }],
    }),
  ];
}

const priceField = (words: Words): FieldNode => ({
  type: 'field',
  propertyName: 'Price',
  kind: 'display',
  label: labelOf(words, 'Price'),
});

/** Makes the nodes with the fields to fill in for each customer; none when no field differs by customer. */
export function ownValuesNodes(words: Words, fields: readonly FieldNode[], isPriced: boolean): Node[] {
  if (fields.length === 0) return [];
  const own = grid(words, {
    id: 'values',
    propertyName: 'Values',
    label: labelOf(words, 'OwnValues'),
    rows: 'reply.Result.values.$rows',
    initial: 'row.Fields',
    fields: [...fields, ...(isPriced ? [priceField(words)] : [])],
    figures: 'reply.Result.facts.prices',
    all: labelOf(words, 'all'),
    wrong: labelOf(words, 'toCorrect'),
    fromFile: {
      button: labelOf(words, 'fromFile'),
      used: labelOf(words, 'rowsUsed'),
      unknown: labelOf(words, 'rowsUnknown'),
    },
  });
  return [
    { type: 'heading', text: labelOf(words, 'OwnValues') },
    { type: 'text', text: labelOf(words, 'ownNote'), look: 'quiet' },
    // As the server compiles it: with the field that holds what is typed.
    { ...own, children: [heldField(gridKind.rules.holds, 'Values')] } as Node,
  ];
}

/** Makes the nodes that list the customers of the order, each with its own values and, where they are seen, its price. */
export const chosenNodes = (words: Words, fields: readonly FieldNode[], seesPrices: boolean): Node[] => [
  { type: 'heading', text: labelOf(words, 'ordered') },
  grid(words, {
    id: 'ordered',
    label: labelOf(words, 'ordered'),
    rows: 'reply.Result.values.$rows',
    initial: 'row.Fields',
    fields: [
      ...fields.map(
        ({ type, propertyName, label }): FieldNode => ({
          type,
          propertyName,
          ...(label && { label }),
          kind: 'display',
        }),
      ),
      ...(seesPrices ? [priceField(words)] : []),
    ],
  }),
];
