import type { ChartNode } from '../../../shared/language/types.ts';
import { isDecimal } from '../../../shared/rules/money.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { type Row, type Scope, withRow } from '../../runtime/state/scope.ts';

type Series = {
  readonly name: string /** Null where there is none: a gap, which is no 0. */;
  readonly values: readonly (number | null)[];
};
export type Figures = {
  /** Names of the points, the same for every series, as in the reply. */
  readonly points: readonly unknown[];
  readonly series: readonly Series[];
};

/** What a chart's drawing needs. */
export type DrawingProps = {
  readonly figures: Figures;
  readonly look: ChartNode['look'];
  /** Prefix of the ids of the patterns of its bars. */
  readonly id: string;
  readonly writePoint: (point: unknown) => string;
  readonly writeFigure: (figure: unknown) => string;
};

/** What is drawn of a number or an amount of money; null for anything else. */
function number(value: unknown): number | null {
  if (isDecimal(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Lists the points of a chart for which no series has a figure. */
export const gapsOf = ({ points, series }: Figures): readonly unknown[] =>
  points.filter((_, index) => series.every(({ values }) => values[index] === null));
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Reads the points and series of a chart from rows. With `labels` in the node, each row is a series with a number for
 * every label; without, each row is a point of one series that is named `label`. What is no number is a gap.
 */
export function readChartFigures(node: ChartNode, rows: readonly Row[], scope: Scope, label: string): Figures {
  const read = (row: Row, path: string): unknown => readPath(withRow(scope, row), path);
  if (node.labels === undefined) {
    const values = rows.map(row => number(read(row, node.figure)));
    return {
      points: rows.map(row => read(row, node.titlePath)),
      series: rows.length > 0 ? [{ name: label, values }] : [],
    };
  }
  const points = listOf(readPath(scope, node.labels));
  return {
    points,
    series: rows.map(row => {
      const values = listOf(read(row, node.figure));
      return { name: String(read(row, node.titlePath) ?? ''), values: points.map((_, index) => number(values[index])) };
    }),
  };
}
