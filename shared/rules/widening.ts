/** A role of a person, with the names of its rights. `until`: the last day on which it counts; null: until it is taken away. */
type GivenRole = { readonly until: string | null; readonly rights: readonly string[] };

/** Sources of the rights of a person: roles, what they hold besides, and the last days of single rights, YYYY-MM-DD. */
export type HeldAccess = {
  readonly roles: readonly GivenRole[];
  readonly own: readonly string[];
  readonly ends: readonly { readonly right: string; readonly until: string }[];
};

/** Behind all days: until it is taken away. */
const forGood = '9999-12-31';

/** Finds the last day on which somebody has each right, be it by a role or besides. */
function lastDaysOf({ roles, own, ends }: HeldAccess): Map<string, string> {
  const ending = new Map(ends.map(({ right, until }) => [right, until]));
  const given = [
    ...roles.flatMap(({ until, rights }) => rights.map(right => [right, until ?? forGood] as const)),
    ...own.map(right => [right, ending.get(right) ?? forGood] as const),
  ];
  const last = new Map<string, string>();
  for (const [right, day] of given) if (day > (last.get(right) ?? '')) last.set(right, day);
  return last;
}

/**
 * True where a change of a person gives a right that they lack, or one for longer: where a reseller may demand that a second
 * person approves it. The cloud demands it by this, and the editor says by this that it will.
 * @param held names of the rights that they hold now; "prices" stands for seeing these
 */
export function accessWidens(
  { userType, held }: { readonly userType: string; readonly held: readonly string[] },
  before: HeldAccess,
  after: HeldAccess,
): boolean {
  const had = new Map([...lastDaysOf(before)].filter(([right]) => held.includes(right)));
  // Whatever roles a reseller's own account has, it sees prices.
  if (userType === 'reseller') had.set('prices', forGood);
  return [...lastDaysOf(after)].some(([right, day]) => day > (had.get(right) ?? ''));
}

/** The same of a change of a role that some people have. */
export const roleWidens = (people: number, before: readonly string[], after: readonly string[]): boolean =>
  people > 0 && after.some(right => !before.includes(right));
