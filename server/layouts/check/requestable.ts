import type { Problem } from '../names/problem.ts';
import type { LongDocument, Pointer } from '../names/source.ts';

/** Finds marks (`requestable`) that would ask for two requirements: somebody asks for a mark by its text. */
export function checkRequestable(sources: readonly LongDocument[]): Problem[] {
  const known = new Map<string, { readonly asked: string; readonly file: string }>();
  const problems: Problem[] = [];
  const visit = (source: LongDocument, value: unknown, at: Pointer): void => {
    if (value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(source, item, [...at, index]);
      return;
    }
    const { requestable, requires } = value as Readonly<Record<string, unknown>>;
    if (typeof requestable === 'string' && requires !== undefined) {
      const asked = JSON.stringify(requires);
      const before = known.get(requestable);
      if (before && before.asked !== asked)
        problems.push(
          source.problem(
            [...at, 'requestable'],
            `"${requestable}" stands for another requirement in ${before.file}: a text of "requestable" asks for one alone.`,
          ),
        );
      else known.set(requestable, { asked, file: source.file });
    }
    for (const [name, item] of Object.entries(value)) visit(source, item, [...at, name]);
  };
  for (const source of sources) visit(source, source.json, []);
  return problems;
}
