/** One comparison of ConnectWise's `conditions`, such as `deletedFlag=false` or `name like "Con%"`. */
export type Comparison = {
  readonly field: string;
  readonly is: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'like' | 'contains';
  readonly value: string | number | boolean;
};

const comparison =
  /^\s*([A-Za-z/]+)\s*(!=|<=|>=|=|<|>|\blike\b|\bcontains\b)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|true|false)\s*/i;

/** Parses the filter of a stand-in's query, comparisons joined by "and"; undefined when it cannot be read. */
export function readConditions(text: string): Comparison[] | undefined {
  const found: Comparison[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    if (found.length > 0) {
      const [and] = /^\s*and\s/i.exec(rest) ?? [];
      if (and === undefined) return undefined;
      rest = rest.slice(and.length);
    }
    const [all, field = '', is = '', value = ''] = comparison.exec(rest) ?? [];
    if (all === undefined) return undefined;
    found.push({ field, is: is.toLowerCase() as Comparison['is'], value: literal(value) });
    rest = rest.slice(all.length);
  }
  return found;
}

function literal(written: string): Comparison['value'] {
  if (/^["']/.test(written)) return written.slice(1, -1).replace(/\\(.)/g, '$1');
  if (/^(?:true|false)$/i.test(written)) return written.toLowerCase() === 'true';
  return Number(written);
}
