import type { NodeKind } from '../node-kind.ts';
import { common, format, path, rows, text } from '../primitives.ts';
import { emptyState } from '../shapes.ts';

/**
 * Figures as bars or areas (stacked, where there are several series) or lines, with a legend. Who cannot see them reads the same
 * figures in `table`, so that no chart stands without one. Six series are told apart by colour, pattern and shape.
 */
export const chartKind = {
  schema: {
    description:
      'Figures as bars, areas or lines, with a legend; what is missing is a gap, and said. A table of the document has the same figures.',
    short: { head: 'rows', defaults: { format: { known: 'format', of: 'figure' } } },
    type: 'object',
    required: ['type', 'label', 'look', 'rows', 'titlePath', 'figure', 'table', 'empty'],
    additionalProperties: false,
    properties: {
      type: { const: 'chart' },
      ...common,
      label: { ...text, description: 'Accessible name, and that of the only series.' },
      look: { enum: ['bars', 'areas', 'lines'], description: 'Bars and areas of several series are stacked.' },
      rows: { ...rows, description: 'Path of the points of one series or, with labels, of a list of series.' },
      titlePath: { ...path, description: 'Path of what an item is called: a point or, with labels, a series.' },
      figure: { ...path, description: 'Path of its number or, with labels, of a list of numbers, one for each label.' },
      labels: { ...path, description: 'Path of a list: what the points of all series are called.' },
      labelFormat: { ...format, description: 'How what a point is called is written.' },
      format,
      table: { title: 'TableName', type: 'string', description: 'Id of the table that has the same figures.' },
      empty: { ...emptyState, description: 'Shown when there are no figures.' },
    },
  },
  rules: { ownWords: ['chart'] },
  example: [
    {
      chart: 'data.customers.Items',
      id: 'spend',
      look: 'bars',
      label: 'example.spend',
      titlePath: 'row.Name',
      figure: 'row.Spend',
      table: 'customers',
      empty: { title: 'example.nothing' },
    },
    {
      table: 'data.customers.Items',
      label: 'example.customers',
      columns: ['Name', { path: 'Status', catalogue: 'example' }, 'Spend'],
      empty: { title: 'example.nothing' },
    },
  ],
} as const satisfies NodeKind;
