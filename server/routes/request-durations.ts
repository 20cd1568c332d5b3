/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const name = 'http_request_duration_seconds';

type Series = { readonly labels: string; readonly counts: number[]; sum: number };

/** A histogram by route and status, counted where it costs every request least. */
export type Durations = {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** In the Prometheus text format. */
  write(): string;
};

const quoted = (value: string): string => value.replace(/[\\"\n]/g, sign => (sign === '\n' ? '\\n' : `\\${sign}`));

/** The map that stands at a key, made where there is none. */
function within<Key, Inner extends Map<unknown, unknown>>(outer: Map<Key, Inner>, key: Key): Inner {
  let inner = outer.get(key);
  if (!inner) {
    inner = new Map() as Inner;
    outer.set(key, inner);
  }
  return inner;
}

export function createDurations(): Durations {
  /** By route, status and method, none of which has to be put together first. */
  const all = new Map<string, Map<number, Map<string, Series>>>();

  const create = (method: string, route: string, status: number): Series => ({
    labels: `method="${quoted(method)}",route="${quoted(route)}",status="${status}"`,
    counts: new Array<number>(bounds.length + 1).fill(0),
    sum: 0,
  });

  return {
    observe(method, route, status, seconds) {
      const byMethod = within(within(all, route), status);
      let series = byMethod.get(method);
      if (!series) {
        series = create(method, route, status);
        byMethod.set(method, series);
      }
      let index = 0;
      while (index < bounds.length && seconds > (bounds[index] as number)) index++;
      (series.counts[index] as number)++;
      series.sum += seconds;
    },
    write() {
      const lines = [`# HELP ${name} Time to answer, by route and status.`, `# TYPE ${name} histogram`];
      for (const byStatus of all.values())
        for (const byMethod of byStatus.values())
          for (const series of byMethod.values()) lines.push(...writeSeries(series));
      return `${lines.join('\n')}\n`;
    },
  };
}

/** Buckets are cumulative: each holds what is at most its bound. */
function writeSeries({ labels, counts, sum }: Series): string[] {
  let count = 0;
  const lines = counts.map((one, index) => {
    count += one;
    return `${name}_bucket{${labels},le="${bounds[index] ?? '+Inf'}"} ${count}`;
  });
  return [...lines, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`];
}
