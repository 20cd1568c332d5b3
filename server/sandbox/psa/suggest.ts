/** An item of either side, by its name. */
type Named = { readonly id: string; readonly name: string };

const forms = new Set(
  'ltd limited llp llc lp plc inc incorporated corp corporation co company gmbh ag bv nv sa sarl srl oy ab as pty the'.split(
    ' ',
  ),
);

/**
 * Reduces a company's name for comparing: without case, accents, punctuation and legal form; "The Café & Co. Ltd"
 * becomes "cafe". A name that would become empty stays whole.
 */
export function normaliseName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[&+]/g, ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const telling = words.filter(word => !forms.has(word));
  while (telling.at(-1) === 'and') telling.pop();
  return (telling.length > 0 ? telling : words).join(' ');
}

function byName(items: readonly Named[]): Map<string, Named[]> {
  const groups = new Map<string, Named[]>();
  for (const item of items) {
    const name = normaliseName(item.name);
    if (name === '') continue;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/**
 * Suggests for each own item the item of the business system with the same name, by the own item's id. Suggests none
 * where two items of the business system have that name, since the right one would be a guess, nor where two own items
 * have it, unless several may share a match (`many`).
 */
export function suggestMatches(own: readonly Named[], theirs: readonly Named[], many: boolean): Map<string, Named> {
  const groups = byName(theirs);
  const suggested = new Map<string, Named>();
  for (const [name, items] of byName(own)) {
    const [found, other] = groups.get(name) ?? [];
    if (!found || other || (items.length > 1 && !many)) continue;
    for (const { id } of items) suggested.set(id, found);
  }
  return suggested;
}
