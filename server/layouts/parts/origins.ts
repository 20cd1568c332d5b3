import type { LongDocument, Pointer } from '../names/source.ts';

/** Where something is written: a place in a document. */
export type Place = { readonly source: LongDocument; readonly at: Pointer };

/** Where something of an expanded document is written, and the uses of parts that brought it there, the nearest first. */
export type Origin = Place & { readonly uses: readonly Place[] };

const keyOf = (at: Pointer): string => at.join('\u0000');

/** Remembers where the pieces of an expanded document were written; what stands inside one was written inside it. */
export class Origins {
  private readonly known = new Map<string, Origin>();
  private readonly joined = new Set<string>();

  constructor(source: LongDocument) {
    this.known.set(keyOf([]), { source, at: [], uses: [] });
  }

  note(out: Pointer, origin: Origin): void {
    this.known.set(keyOf(out), origin);
  }

  noteJoined(out: Pointer): void {
    this.joined.add(keyOf(out));
  }

  isJoined = (out: Pointer): boolean => this.joined.has(keyOf(out));

  find(out: Pointer): Origin {
    let length = out.length;
    while (length > 0 && !this.known.has(keyOf(out.slice(0, length)))) length--;
    const origin = this.known.get(keyOf(out.slice(0, length))) as Origin;
    return { ...origin, at: [...origin.at, ...out.slice(length)] };
  }
}

const describe = ({ source, at }: Place): string => {
  const { file, line, column } = source.problem(at, '');
  return `${file}:${line}:${column}`;
};

/**
 * Gives an expanded document whose problems are reported where the text was written: in the part, with where it is
 * used.
 * @param guessedTexts those of the document and of all parts in it
 */
export function withOrigins(
  source: LongDocument,
  json: LongDocument['json'],
  origins: Origins,
  guessedTexts: ReadonlySet<string>,
): LongDocument {
  return {
    ...source,
    json,
    ...(guessedTexts.size > 0 && { guessedTexts }),
    isComposed: true,
    isJoined: origins.isJoined,
    problem(out, message, severity) {
      const { source: own, at, uses } = origins.find(out);
      const used = uses.length === 0 ? '' : ` Used in ${uses.map(describe).join(', in ')}.`;
      const problem = own.problem(at, `${message}${used}`, severity);
      const files = new Set([source.file, ...uses.map(use => use.source.file)]);
      files.delete(own.file);
      return files.size === 0 ? problem : { ...problem, alsoIn: [...files] };
    },
  };
}
