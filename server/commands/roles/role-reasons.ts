import type { Outlined } from '../../layouts/index.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { type CloudRights, heldBy, namesOf, within } from './role-rights.ts';
import { tryOut } from './try-out.ts';

type Screens = ReadonlyMap<string, Outlined>;
/** A role, or what somebody holds besides; `name` is empty there. */
type Source = { readonly name: string; readonly rights: CloudRights };

const nothing: CloudRights = { Views: [], Permissions: [], Prices: false };

/** Rights without one of them. */
const without = ({ Views, Permissions, Prices }: CloudRights, name: string): CloudRights => ({
  Views: Views.filter(view => view !== name),
  Permissions: Permissions.filter(permission => permission !== name),
  Prices: Prices && name !== 'prices',
});

/**
 * Tells why each screen opens: every right without which it would not, with the roles that give it; `anyone` where it
 * opens without any right, and `several` where more than one right would do. `screensOf` gives what rights open.
 */
export async function findReasons(
  rights: CloudRights,
  sources: readonly Source[],
  screensOf: (rights: CloudRights) => Promise<Screens>,
) {
  const all = await screensOf(rights);
  const free = await screensOf(nothing);
  const lost: (readonly [name: string, left: Screens])[] = [];
  for (const name of namesOf(rights)) lost.push([name, await screensOf(without(rights, name))]);
  return [...all].flatMap(([Key, { name: Name, detail: Detail }]) => {
    const row = (Right: string, From = '') => ({ Key: `${Key} ${Right}`, Name, Detail, Right, From });
    if (free.has(Key)) return [row('anyone')];
    const needed = lost.flatMap(([name, left]) => (left.has(Key) ? [] : [name]));
    if (needed.length === 0) return [row('several')];
    return needed.map(name => row(name, givenBy(sources, name)));
  });
}

const givenBy = (sources: readonly Source[], right: string): string =>
  sources
    .filter(({ name, rights }) => name !== '' && namesOf(rights).includes(right))
    .map(({ name }) => name)
    .join(', ');

/** Tells what a person can open and why, as far as the caller holds the same rights. */
export async function roleReasons(asked: PortalRequest) {
  const { principal } = asked.caller;
  const { UserType, All, Roles } = await ask(asked, 'roles.access', { user: asked.parameters.user });
  const { seen } = within(All, heldBy(principal));
  const roles = await Promise.all(Roles.map(({ RoleId }) => ask(asked, 'roles.get', { roleId: RoleId })));
  const sources = roles.map(role => ({ name: role.Name, rights: role }));
  const Items = await findReasons(
    seen,
    sources,
    async rights => (await tryOut(asked, String(UserType), rights)).screens,
  );
  return { Items };
}
