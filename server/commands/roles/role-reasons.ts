import type { Act } from '../../layouts/index.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { actKinds, pageOf, searched } from './act-rows.ts';
import { type CloudRights, heldBy, namesOf, within, without } from './role-rights.ts';
import { type Acts, tryActs } from './try-out.ts';

/** A role, or what somebody holds besides. `until`: the last day on which it counts; null: until it is taken away. */
type Source = { readonly name: string; readonly rights: CloudRights; readonly until: string | null };

/** Why somebody has something: a right, what gives it and until when. */
type Reason = {
  readonly Key: string;
  readonly Act: string;
  readonly Kind: Act['kind'];
  readonly Name: string;
  readonly Detail: string;
  readonly Right: string;
  readonly From: string;
  readonly Until: string | null;
};

const nothing: CloudRights = { Views: [], Permissions: [], Prices: false };

/**
 * Tells why each screen opens and each call may be made: every right without which it would not, with what gives it;
 * `anyone` where that takes no right, and `several` where more than one right would do.
 */
export async function findReasons(
  rights: CloudRights,
  sources: readonly Source[],
  actsOf: (rights: CloudRights) => Promise<Acts>,
): Promise<Reason[]> {
  const all = await actsOf(rights);
  const free = await actsOf(nothing);
  const lost: (readonly [name: string, left: Acts])[] = [];
  for (const name of namesOf(rights)) lost.push([name, await actsOf(without(rights, name))]);
  return [...all].flatMap(([key, { kind, name, on }]) => {
    const row = (Right: string, given: Pick<Reason, 'From' | 'Until'> = { From: '', Until: null }) => ({
      ...{ Key: `${key} ${Right}`, Act: key, Kind: kind, Name: name, Detail: on, Right },
      ...given,
    });
    if (free.has(key)) return [row('anyone')];
    const needed = lost.flatMap(([right, left]) => (left.has(key) ? [] : [right]));
    if (needed.length === 0) return [row('several')];
    return needed.map(right => row(right, givenBy(sources, right)));
  });
}

/** Puts what everybody has after the rest of its kind. */
const restLast = (reasons: readonly Reason[]): Reason[] =>
  actKinds.flatMap(kind => {
    const ofKind = reasons.filter(({ Kind }) => Kind === kind);
    const isFree = ({ Right }: Reason) => Right === 'anyone';
    return [...ofKind.filter(reason => !isFree(reason)), ...ofKind.filter(isFree)];
  });

/** The rights that somebody holds besides roles; those with a last day each by itself. */
function singleSources(
  own: CloudRights,
  ends: readonly { readonly Right: string | number; readonly Until: string }[],
  name: string,
): Source[] {
  const ending = ends.map(({ Right }) => String(Right));
  const only = (right: string) =>
    namesOf(own)
      .filter(other => other !== right)
      .reduce(without, own);
  return [
    { name, rights: ending.reduce(without, own), until: null },
    ...ends.map(({ Right, Until }) => ({ name, rights: only(String(Right)), until: Until })),
  ];
}

/** Names what gives a right, and until when the last of these does. */
function givenBy(sources: readonly Source[], right: string): Pick<Reason, 'From' | 'Until'> {
  const giving = sources.filter(({ rights }) => namesOf(rights).includes(right));
  const ends = giving.map(({ until }) => until);
  return {
    From: giving.map(({ name }) => name).join(', '),
    Until: ends.includes(null) ? null : (ends.sort().at(-1) ?? null),
  };
}

/** Tells what a person can open and do, and why, as far as the caller holds the same rights: a page of it. */
export async function roleReasons(asked: PortalRequest) {
  const { principal, access } = asked.caller;
  const { UserType, All, Roles, Name, Ends, ...own } = await ask(asked, 'roles.access', {
    user: asked.parameters.user,
  });
  const { seen } = within(All, heldBy(principal));
  const roles = await Promise.all(Roles.map(({ RoleId }) => ask(asked, 'roles.get', { roleId: RoleId })));
  const sources = [
    ...roles.map((role, at) => ({ name: role.Name, rights: role, until: Roles[at]?.Until ?? null })),
    ...singleSources(own, Ends, access.serverText('role.single')),
  ];
  const reasons = await findReasons(seen, sources, rights => tryActs(asked, String(UserType), rights));
  return { Person: Name, ...pageOf(restLast(searched(reasons, asked.parameters)), asked.parameters) };
}
