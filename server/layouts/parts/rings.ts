import { type Part, usesOf } from './part.ts';

/** Names of a ring that a message tells. */
const mostNames = 8;

/** Lists for each part the ids of the parts that it uses. */
export function usesOfParts(parts: ReadonlyMap<string, Part>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    [...parts].map(([id, { source }]) => [
      id,
      new Set(
        usesOf(source)
          .map(({ use }) => use.part)
          .filter(name => parts.has(name)),
      ),
    ]),
  );
}

/**
 * Finds parts that contain themselves. Gives a function that, for a part used inside another, writes the ring (`a → b →
 * a`), or undefined where there is none.
 */
export function findRings(
  uses: ReadonlyMap<string, ReadonlySet<string>>,
): (part: string, inside: string) => string | undefined {
  const left = withoutEnds(uses);
  return (part, inside) => {
    if (!left.has(part) || !left.has(inside)) return undefined;
    const way = shortestWay(uses, left, part, inside);
    if (!way) return undefined;
    const names = [...way, part];
    const told = names.length > mostNames ? [...names.slice(0, mostNames - 2), '…', part] : names;
    return told.join(' → ');
  };
}

/** The parts that are left when all go that use none of those that are left. */
function withoutEnds(uses: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const usedBy = new Map<string, string[]>();
  for (const [id, names] of uses) for (const name of names) usedBy.set(name, [...(usedBy.get(name) ?? []), id]);
  const counts = new Map([...uses].map(([id, names]) => [id, names.size]));
  const ends = [...counts].flatMap(([id, count]) => (count === 0 ? [id] : []));
  const left = new Set(uses.keys());
  for (const end of ends) {
    left.delete(end);
    for (const id of usedBy.get(end) ?? []) {
      const count = (counts.get(id) ?? 0) - 1;
      counts.set(id, count);
      if (count === 0) ends.push(id);
    }
  }
  return left;
}

/** The shortest way from one part to another by what they use. */
function shortestWay(
  uses: ReadonlyMap<string, ReadonlySet<string>>,
  left: ReadonlySet<string>,
  from: string,
  to: string,
): string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of before.keys()) {
    if (id === to) {
      const way: string[] = [];
      for (let step: string | undefined = to; step !== undefined; step = before.get(step)) way.unshift(step);
      return way;
    }
    for (const name of uses.get(id) ?? []) if (left.has(name) && !before.has(name)) before.set(name, id);
  }
  return undefined;
}
