/** The size of documents, in what is written in them. */
export type Count = {
  readonly documents: number;
  /** Names of properties. */
  readonly names: number;
  /** Texts, numbers, true, false and null. */
  readonly values: number;
  /** Names and values: how much there is to write and to read. */
  readonly together: number;
  /** Lines of the files, which depend on their format. */
  readonly lines: number;
};

export const noCount: Count = { documents: 0, names: 0, values: 0, together: 0, lines: 0 };

/** Adds up two counts (of documents, names, values, lines). */
export function addCounts(a: Count = noCount, b: Count = noCount): Count {
  return {
    documents: a.documents + b.documents,
    names: a.names + b.names,
    values: a.values + b.values,
    together: a.together + b.together,
    lines: a.lines + b.lines,
  };
}

/** Counts the names, values and lines of a layout document; `text` is the file's content. */
export function countDocument(json: unknown, text: string): Count {
  let names = 0;
  let values = 0;
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') values += 1;
    else {
      if (!Array.isArray(value)) names += Object.keys(value).length;
      for (const inner of Object.values(value)) visit(inner);
    }
  };
  visit(json);
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return { documents: 1, names, values, together: names + values, lines };
}
