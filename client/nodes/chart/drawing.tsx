import type { ReactNode } from 'react';
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import type { DrawingProps } from './figures.ts';
import { colourOf, dashOf, fillOf, Swatch, shapeOf } from './marks.tsx';

/** Until the page has said how large it is, in pixels. */
const size = { width: 640, height: 288 };
const tick = { fill: 'var(--text-2)' };

/** "£20,000.00" is "£20,000" at the axis, in whatever way the language writes it. */
const withoutPence = (figure: string): string => figure.replace(/[.,]00(?=\D*$)/, '');

/**
 * The drawn part of a chart, with a hint beside the pointer; keyboard and screen reader users have the table instead.
 */
export function Drawing({ figures, look, id, writePoint, writeFigure }: DrawingProps): ReactNode {
  const { points, series } = figures;
  const isLine = look === 'lines';
  const data = points.map((point, at) => ({
    point: writePoint(point),
    values: series.map(({ values }) => values[at]),
  }));
  const parts = series.map(({ name }, index) => {
    const common = {
      id: `${id}-series-${index}`,
      name,
      isAnimationActive: false,
      dataKey: (row: (typeof data)[number]) => row.values[index],
    };
    if (look === 'areas')
      return (
        <Area
          {...common}
          key={common.id}
          stackId="all"
          type="linear"
          fill={fillOf(id, index)}
          fillOpacity={1}
          stroke={colourOf(index)}
          strokeWidth={2}
          // A day between two gaps has no area: its point shows it.
          dot={{ r: 2 }}
          activeDot={false}
        />
      );
    if (!isLine)
      return (
        <Bar
          {...common}
          key={common.id}
          stackId="all"
          fill={fillOf(id, index)}
          stroke="var(--surface)"
          maxBarSize={48}
        />
      );
    const colour = colourOf(index);
    return (
      <Line
        {...common}
        key={common.id}
        type="linear"
        stroke={colour}
        strokeWidth={2}
        strokeDasharray={dashOf(index)}
        activeDot={false}
        dot={({ cx, cy, index: at }) => (
          <path key={at} d={shapeOf(index)} fill={colour} transform={`translate(${cx} ${cy})`} />
        )}
      />
    );
  });
  const tell = ({ active, payload, label }: TooltipContentProps) =>
    active && (
      <div className="chart__tip">
        <b>{label}</b>
        {payload.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a series is its place, two may have one name
          <span key={index}>
            <Swatch id={id} index={index} isLine={isLine} />
            {name}
            <b>{writeFigure(value)}</b>
          </span>
        ))}
      </div>
    );
  const Frame = { lines: LineChart, areas: AreaChart, bars: BarChart }[look];
  return (
    <ResponsiveContainer initialDimension={size}>
      <Frame data={data} accessibilityLayer={false} margin={{ top: 8, right: 8 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="point" tick={tick} tickLine={false} stroke="var(--line-control)" minTickGap={16} />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
          tickFormatter={figure => withoutPence(writeFigure(figure))}
        />
        <Tooltip content={tell} isAnimationActive={false} cursor={{ fill: 'var(--hover)', stroke: 'var(--line)' }} />
        {parts}
      </Frame>
    </ResponsiveContainer>
  );
}
