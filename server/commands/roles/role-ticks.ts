import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { type CloudRights, heldBy, namesOf, within } from './role-rights.ts';

/** The rights that the caller can give, each with whether it is there: the boxes of the editor. */
function boxesOf(rights: CloudRights, held: CloudRights): Readonly<Record<string, boolean>> {
  const there = new Set(namesOf(rights));
  return Object.fromEntries([...namesOf(held), 'prices'].map(name => [name, there.has(name)]));
}

/** Gives a role as the editor shows it: its rights as boxes, its tests as lines. */
export async function roleTicks(asked: PortalRequest) {
  const held = heldBy(asked.caller.principal);
  const { May, MayNot, Holders, Views, Permissions, Prices, ...role } = await ask(asked, 'roles.get', {
    roleId: asked.parameters.roleId,
  });
  const rights = { Views, Permissions, Prices };
  return {
    ...role,
    ...boxesOf(rights, held),
    ...{ Hidden: within(rights, held).hidden, Holders: Holders.join(', ') },
    ...{ MayOpen: May.join('\n'), MayNotOpen: MayNot.join('\n') },
  };
}

/** Gives what a person holds besides roles as boxes. */
export async function personTicks(asked: PortalRequest) {
  const held = heldBy(asked.caller.principal);
  const { Name, UserName, UserType, IsSelf, Version, Roles, Ends, ...rights } = await ask(asked, 'roles.access', {
    user: asked.parameters.user,
  });
  const ends = Ends.filter(({ Right }) => namesOf(within(rights, held).seen).includes(String(Right)));
  const { request } = asked.parameters;
  const wanted = request === undefined ? undefined : await ask(asked, 'accessRequests.get', { requestId: request });
  // The rights that are asked for are ticked, so that one look and one press give them.
  const isWaiting = wanted?.State === 'Open' && wanted.UserName === UserName;
  return {
    ...{ Name, UserName, UserType, IsSelf, Version, Roles: Roles.map(role => role.Name).join(', ') },
    ...boxesOf(rights, held),
    ...(isWaiting && Object.fromEntries(wanted.Rights.map(name => [name, true]))),
    Hidden: within(rights, held).hidden,
    // A right that the caller lacks is not named.
    Ends: ends,
    HasEnds: ends.length > 0,
  };
}
