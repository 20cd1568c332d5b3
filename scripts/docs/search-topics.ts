/** A page of the reference as the search knows it. */
export type SearchEntry = {
  readonly name: string;
  /** The part of the reference that it stands in. */
  readonly group: string;
  readonly address: string;
  /** Names of its properties. */
  readonly properties: readonly string[];
  readonly says: string;
};

/** Results that are shown at once. */
const most = 30;

/** How well a page fits a word: the smaller the better; undefined where it has nothing of it. */
function rankOf({ name, group, properties, says }: SearchEntry, word: string): number | undefined {
  const lower = name.toLowerCase();
  if (lower === word) return 0;
  if (lower.startsWith(word)) return 1;
  if (lower.includes(word) || group.toLowerCase().includes(word)) return 2;
  const names = properties.map(property => property.toLowerCase());
  if (names.some(property => property === word || property.endsWith(`.${word}`))) return 3;
  if (names.some(property => property.includes(word))) return 4;
  return says.toLowerCase().includes(word) ? 5 : undefined;
}

/** Lists the pages that have all of the words that are asked for, those first that are called so. */
export function searchTopics(entries: readonly SearchEntry[], asked: string): readonly SearchEntry[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked = entries.flatMap(entry => {
    const ranks = words.map(word => rankOf(entry, word));
    return ranks.every(rank => rank !== undefined) ? [{ entry, rank: Math.min(...ranks) }] : [];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}
