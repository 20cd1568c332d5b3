import { type AddressRange, parsePeer, parseRange } from './ip-address.ts';

/** Kinds of places that rules can be about, beside addresses. */
export const placeKinds = ['Country', 'City', 'MobileNetwork'] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** One rule about from where people may come. */
export type AddressRule = {
  readonly Id: number;
  readonly Kind: 'Address' | PlaceKind;
  /** An address, network or range (ip-address.ts), or the value of a place. */
  readonly Value: string;
  /** The value as people read it: "203.0.113.0/24", "United Kingdom". */
  readonly Name: string;
  readonly Does: 'Allow' | 'Refuse';
  readonly Note: string;
  /** A moment (ISO 8601) from which the rule is as if it were not there; null: it stays. */
  readonly Until: string | null;
};

/** The rules of an organisation: the first one that fits an address decides, and `Elsewhere` where none does. */
export type RuleSet = {
  readonly On: boolean;
  readonly Elsewhere: 'Allow' | 'Refuse';
  /** True: they hold for the administrators of the organisation's customers too. */
  readonly Admins: boolean;
  readonly Rules: readonly AddressRule[];
};

/**
 * The place of an address, as far as it is known: the ISO code of its country, the GeoNames id of its city, and the codes
 * of its mobile network such as "234-15" (ITU-T E.212: country and network).
 */
export type Place = { readonly [Kind in PlaceKind]?: string };
export type PlaceOf = (address: string) => Place | undefined;

export type Verdict = {
  readonly isAllowed: boolean;
  /** The rule that decided; absent where none fitted. */
  readonly rule?: AddressRule;
};

export type CompiledRules = {
  judge(address: string): Verdict;
  /** Epoch milliseconds from when on they are compiled anew, as a rule ends then. */
  readonly until: number;
  /** Ids of rules that never decide, as earlier ones fit all their addresses. */
  readonly unreached: ReadonlySet<number>;
};

/** Starts of intervals in ascending order, and the place of the rule that decides in each; -1: none. */
type Table = { readonly starts: readonly bigint[]; readonly deciders: Int32Array };

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The place of the last start that is not above a value; -1 below the first. */
function indexOf(starts: readonly bigint[], value: bigint): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as bigint) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Cuts the addresses into intervals at the ends of all ranges; each is decided by the first range that covers it. */
function buildTable(ranges: readonly { readonly range: AddressRange; readonly place: number }[]): Table {
  // Not by a Set: those of V8 take seconds for ten thousand numbers that differ in high bits alone.
  const ends = ranges.flatMap(({ range }) => [range.from, range.to + 1n]).sort(ascending);
  const starts = ends.filter((value, index) => value !== ends[index - 1]);
  const deciders = new Int32Array(starts.length).fill(-1);
  // From each interval the next one at or after it that is not decided yet: every interval is decided once.
  const next = Int32Array.from({ length: starts.length + 1 }, (_, index) => index);
  const undecided = (from: number): number => {
    let last = from;
    while (next[last] !== last) last = next[last] as number;
    for (let at = from; at !== last; ) {
      const following = next[at] as number;
      next[at] = last;
      at = following;
    }
    return last;
  };
  for (const { range, place } of ranges) {
    const end = indexOf(starts, range.to + 1n);
    for (let at = undecided(indexOf(starts, range.from)); at < end; at = undecided(at)) {
      deciders[at] = place;
      next[at] = at + 1;
    }
  }
  return { starts, deciders };
}

/** The first rule for each value of a kind. */
function firstByValue(rules: readonly AddressRule[], kind: AddressRule['Kind']): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [place, rule] of rules.entries())
    if (rule.Kind === kind && !places.has(rule.Value)) places.set(rule.Value, place);
  return places;
}

/**
 * Compiles rules into tables, so that an address is judged by two searches however many rules there are. `at`: now, in
 * epoch milliseconds. A rule with a value that is no range fits nothing; an address that cannot be read fits no rule.
 */
export function compileRules(set: RuleSet, placeOf: PlaceOf, at: number): CompiledRules {
  const endOf = ({ Until }: AddressRule): number => (Until === null ? Number.POSITIVE_INFINITY : Date.parse(Until));
  const rules = set.Rules.filter(rule => endOf(rule) > at);
  const ranges = rules.flatMap((rule, place) => {
    const range = rule.Kind === 'Address' ? parseRange(rule.Value) : undefined;
    return range ? [{ range, place }] : [];
  });
  const tables = {
    4: buildTable(ranges.filter(({ range }) => range.version === 4)),
    6: buildTable(ranges.filter(({ range }) => range.version === 6)),
  };
  const byPlace = placeKinds.flatMap(kind => {
    const places = firstByValue(rules, kind);
    return places.size > 0 ? [{ kind, places }] : [];
  });
  const deciding = new Set([
    ...[tables[4], tables[6]].flatMap(({ deciders }) => [...deciders]),
    ...byPlace.flatMap(({ places }) => [...places.values()]),
  ]);
  const none = rules.length;
  return {
    until: Math.min(...rules.map(endOf)),
    unreached: new Set(rules.filter((_, place) => !deciding.has(place)).map(({ Id }) => Id)),
    judge(text) {
      const address = parsePeer(text);
      const table = address && tables[address.version];
      const byAddress = (table && address && table.deciders[indexOf(table.starts, address.value)]) ?? -1;
      const found = byPlace.length > 0 ? placeOf(text) : undefined;
      const first = Math.min(
        byAddress < 0 ? none : byAddress,
        ...byPlace.map(({ kind, places }) => places.get(found?.[kind] ?? '') ?? none),
      );
      const rule = rules[first];
      return rule
        ? { isAllowed: rule.Does === 'Allow', rule }
        : { isAllowed: set.Elsewhere === 'Allow' && address !== undefined };
    },
  };
}
