/** One promise, as measured: against a floor taken in the same run, or against a limit of its own. */
export type Measure = {
  readonly what: string;
  readonly measured: number;
  /** What `measured` is held against; absent where the limit is absolute. */
  readonly floor?: number;
  /** Of `measured` to `floor` where there is one, else of `measured` itself. */
  readonly limit: number;
  /** `atMost` unless said otherwise. */
  readonly bound?: 'atMost' | 'atLeast';
  readonly unit: string;
};

/** True when the measure keeps its limit; what was not measured (NaN) does not. */
export function isWithin({ measured, floor, limit, bound = 'atMost' }: Measure): boolean {
  const value = floor === undefined ? measured : measured / floor;
  return bound === 'atMost' ? value <= limit : value >= limit;
}

const heads = ['what', 'measured', 'floor', 'ratio', 'limit', ''];

/** Formats the measures as a table for the terminal. */
export function printMeasures(measures: readonly Measure[]): string {
  const lines = [heads, ...measures.map(row)];
  const widths = heads.map((_, column) => Math.max(...lines.map(line => line[column]!.length)));
  return lines
    .map(line =>
      line.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[0]!))).join('  '),
    )
    .join('\n');
}

function row(measure: Measure): string[] {
  const { what, measured, floor, limit, bound = 'atMost', unit } = measure;
  const sign = bound === 'atMost' ? '≤' : '≥';
  return [
    what,
    figure(measured, unit),
    floor === undefined ? '' : figure(floor, unit),
    floor === undefined ? '' : `${(measured / floor).toFixed(2)}×`,
    floor === undefined ? `${sign} ${figure(limit, unit)}` : `${sign} ${limit.toFixed(2)}×`,
    isWithin(measure) ? 'ok' : 'OVER',
  ];
}

function figure(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`;
}

/** Gives the median; NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
