/** Characters that a line of a document holds at most, as `.biome.json` says too. */
export const lineWidth = 120;

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object';

/** A value on one line. */
function inline(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, item]) =>
    isList ? inline(item) : `${JSON.stringify(name)}: ${inline(item)}`,
  );
  if (isList) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** The lines of a list or object whose closing bracket stands at `indent`. */
function spread(value: object, indent: string): string {
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const lines = entries.map(([name, item], index) => {
    const start = isList ? `${indent}  ` : `${indent}  ${JSON.stringify(name)}: `;
    const end = index === entries.length - 1 ? '' : ',';
    const oneLine = inline(item);
    const fits = !isContainer(item) || start.length + oneLine.length + end.length <= lineWidth;
    return `${start}${fits ? oneLine : spread(item, `${indent}  `)}${end}`;
  });
  return [isList ? '[' : '{', ...lines, `${indent}${isList ? ']' : '}'}`].join('\n');
}

/** Writes a document's JSON in the project's format: values that fit on one line are on one line. */
export const formatDocument = (json: object): string => `${spread(json, '')}\n`;
