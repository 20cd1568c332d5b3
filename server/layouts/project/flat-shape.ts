import { classes, scalarPattern } from './plain-json.ts';

/**
 * How the objects of one place have been written so far: the same fields in the same order, and only plain values. The
 * items of a list are, and a pattern cuts such an object many times faster than walking it does. It takes nothing that
 * walking would not take: whatever is written otherwise does not match.
 */
export type FlatShape = {
  /** Matches the object at `lastIndex`; each group is a run of fields that are kept. */
  readonly pattern: RegExp;
  /** True where all fields are kept, so that the object stays as it is. */
  readonly isWhole: boolean;
};

const mostFields = 64;

const literal = (name: string): string =>
  name.replace(/\W/gu, sign =>
    [...Array(sign.length).keys()].map(index => `\\u${sign.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );

const anyScalar = classes.string | classes.number | classes.boolean | classes.null;

/**
 * Learns from the text of one object a pattern that cuts the next ones, written with the same fields in the same order,
 * many times faster than walking; undefined for an object that is not flat.
 * @param acceptedOf the classes of values allowed in a field to keep; undefined for a field to leave out
 */
export function learnShape(text: string, acceptedOf: (name: string) => number | undefined): FlatShape | undefined {
  const entries = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
  if (entries.length === 0 || entries.length > mostFields) return undefined;
  if (entries.some(([, value]) => value !== null && typeof value === 'object')) return undefined;
  let source = '';
  let wasKept = false;
  entries.forEach(([name], index) => {
    const accepted = acceptedOf(name);
    const kept = accepted !== undefined;
    if (wasKept && !kept) source += ')';
    if (index > 0) source += ',';
    if (kept && !wasKept) source += '(';
    source += `"${literal(name)}":${scalarPattern(accepted ?? anyScalar)}`;
    wasKept = kept;
  });
  return {
    pattern: new RegExp(`\\{${source}${wasKept ? ')' : ''}\\}`, 'y'),
    isWhole: entries.every(([name]) => acceptedOf(name) !== undefined),
  };
}

/** Writes the cut object from the groups of a match of `FlatShape.pattern`. */
export function joinRuns(runs: RegExpExecArray): string {
  let out = `{${runs[1] ?? ''}`;
  for (let index = 2; index < runs.length; index++) out += `,${runs[index]}`;
  return `${out}}`;
}
