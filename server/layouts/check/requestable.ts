import type { Requirement } from '../../../shared/language/types.ts';
import type { Problem } from '../names/problem.ts';
import type { LongDocument, Pointer } from '../names/source.ts';

type Mark = { readonly at: Pointer; readonly text: string; readonly requires: Requirement };

/** Finds what is marked as requestable in a document, with what it requires. */
export function marksIn({ json }: LongDocument): Mark[] {
  const marks: Mark[] = [];
  const visit = (value: unknown, at: Pointer): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...at, index]);
      return;
    }
    const { requestable, requires } = value as Readonly<Record<string, unknown>>;
    if (typeof requestable === 'string' && typeof requires === 'object' && requires !== null)
      marks.push({ at: [...at, 'requestable'], text: requestable, requires: requires as Requirement });
    for (const [name, item] of Object.entries(value)) visit(item, [...at, name]);
  };
  visit(json, []);
  return marks;
}

/** Finds marks that would ask for two requirements: somebody asks for a mark by its text. */
export function checkRequestable(sources: readonly LongDocument[]): Problem[] {
  const known = new Map<string, { readonly asked: string; readonly file: string }>();
  return sources.flatMap(source =>
    marksIn(source).flatMap(({ at, text, requires }) => {
      const asked = JSON.stringify(requires);
      const before = known.get(text);
      known.set(text, before ?? { asked, file: source.file });
      if (before === undefined || before.asked === asked) return [];
      const message = `"${text}" stands for another requirement in ${before.file}: a text of "requestable" asks for one alone.`;
      return [source.problem(at, message)];
    }),
  );
}
