import { type ComponentType, type ReactNode, useId, useMemo } from 'react';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { useRows } from '../../runtime/data/rows.ts';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import { drawNodes } from '../../runtime/page/children.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { lazyComponent } from '../../runtime/state/lazy-component.tsx';
import { useFormatter, useText, useWords } from '../../runtime/state/values.ts';
import { type DrawingProps, gapsOf, readChartFigures } from './figures.ts';
import { Patterns, Swatch } from './marks.tsx';

addStyles(`
  .chart { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s-3); padding: var(--s-4); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-l); }
  .card .chart { padding: 0; border: 0; }
  .chart__plot { height: 18rem; overflow: hidden; border-radius: 0; font-size: var(--t-xs); }
  .chart__tip { display: grid; gap: var(--s-1); padding: var(--s-2) var(--s-3); background: var(--raised); border-radius: var(--r-m); box-shadow: var(--shadow-menu); font-size: var(--t-s); }
  .chart__tip > span, .legend > li { display: flex; align-items: center; gap: var(--s-2); }
  .chart b { font-weight: var(--w-medium); font-variant-numeric: tabular-nums; margin-inline-start: auto; white-space: nowrap; }
  .chart__tip > b { margin: 0; }
  .legend svg { flex: none; }
  .legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: var(--s-1) var(--s-6); overflow-wrap: anywhere; }
  .legend b + span { color: var(--text-2); min-width: 2.25rem; text-align: end; }
`);

let bring: () => Promise<{ readonly Drawing: ComponentType<DrawingProps> }>;
const bones = <div className="chart__plot bone" aria-hidden="true" />;

type PlotProps = DrawingProps & { readonly label: string; readonly testId: string | undefined };
const Plot = lazyComponent<PlotProps>(async () => {
  const { Drawing } = await bring();
  return ({ label, testId, ...props }) => (
    <div className="chart__plot" role="img" aria-label={label} data-testid={testId}>
      <Drawing {...props} />
    </div>
  );
}, bones);

/**
 * Sets the function that loads the drawing of charts. It is called when the first chart is drawn, since the drawing
 * brings a library along.
 */
export function lazyLoadDrawing(load: typeof bring): void {
  bring = load;
}

/**
 * A chart with bars, areas or lines; several series have a legend with their sums. Points of a single series may be
 * levels, which do not add up. Screen readers get the same figures as a table.
 */
export function Chart({ node, scope }: NodeProps<'chart'>): ReactNode {
  // Names patterns inside url(…), which takes plain letters alone.
  const id = useId().replace(/\W/g, '');
  const source = useRows(node.rows, scope);
  const label = useText(node.label, node.values, scope);
  const format = useFormatter();
  const word = useWords();
  const { rows } = source;
  const figures = useMemo(() => rows && readChartFigures(node, rows, scope, label), [node, rows, scope, label]);
  const isLine = node.look === 'lines';

  if (!figures) {
    if (source.failed !== undefined) return <Trouble of={source} />;
    return source.isLate && bones;
  }
  if (figures.series.length === 0) return drawNodes([{ type: 'empty', level: 2, ...node.empty }], scope);
  const writeFigure = (figure: unknown) => format(figure, node.format ?? 'number');
  const writePoint = (point: unknown) => format(point, node.labelFormat);
  const gaps = gapsOf(figures);
  const totals = figures.series.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  const all = totals.reduce((sum, total) => sum + total, 0);
  return (
    <div className="chart" data-testid={node.testId} aria-busy={source.loading || undefined}>
      <Patterns id={id} />
      <Plot
        label={label}
        testId={partId(node.testId, 'plot')}
        figures={figures}
        look={node.look}
        id={id}
        writePoint={writePoint}
        writeFigure={writeFigure}
      />
      {node.labels !== undefined && (
        <ul className="legend" aria-label={label}>
          {figures.series.map(({ name }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place, two may have one name
            <li key={index}>
              <Swatch id={id} index={index} isLine={isLine} />
              <span>{name}</span>
              <b>{writeFigure(totals[index])}</b>
              {totals.length > 1 && all > 0 && <span>{Math.round((100 * (totals[index] ?? 0)) / all)}%</span>}
            </li>
          ))}
        </ul>
      )}
      {gaps.length > 0 && (
        <p className="quiet" data-testid={partId(node.testId, 'gaps')}>
          {word('chart.gaps', { points: gaps.map(writePoint).join(', ') })}
        </p>
      )}
    </div>
  );
}
