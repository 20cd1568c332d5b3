import { searchKey } from '../../../shared/rules/search-key.ts';
import type { CloudRequest } from '../../cloud/call.ts';
import type { Act } from '../../layouts/index.ts';

/** A row about a screen or call. */
type ActRow = {
  readonly Act: string;
  readonly Kind: Act['kind'];
  readonly Name: string;
  readonly Detail: string;
};
type Parameters = CloudRequest['parameters'];

/** Screens stand before what is done there; what is read there comes last. */
export const actKinds: readonly Act['kind'][] = ['Screen', 'Act', 'File', 'Data'];

/** Rows that have the searched words in their name or place, by kind and name, with their kind still to be chosen. */
export function searched<R extends ActRow>(rows: readonly R[], { search }: Parameters): R[] {
  const words = searchKey(String(search ?? ''));
  return rows
    .filter(({ Name, Detail, Act }) => words === '' || searchKey(`${Name} ${Detail} ${Act}`).includes(words))
    .toSorted((a, b) => actKinds.indexOf(a.Kind) - actKinds.indexOf(b.Kind) || a.Name.localeCompare(b.Name));
}

/** One page of rows, of the kind that is chosen, with how many screens and calls there are of each. */
export function pageOf<R extends ActRow>(rows: readonly R[], { kind, page, pageSize }: Parameters) {
  const countOf = (some: readonly R[]) => new Set(some.map(({ Act }) => Act)).size;
  const chosen = rows.filter(({ Kind }) => kind === undefined || kind === '' || Kind === kind);
  const size = Number(pageSize ?? 25);
  const first = (Number(page ?? 1) - 1) * size;
  const Counts = Object.fromEntries(actKinds.map(name => [name, countOf(rows.filter(({ Kind }) => Kind === name))]));
  return { Items: chosen.slice(first, first + size), Total: chosen.length, Counts: { All: countOf(rows), ...Counts } };
}
