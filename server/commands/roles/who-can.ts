import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { pageOf, searched } from './act-rows.ts';
import { heldBy, namesOf } from './role-rights.ts';
import { readActs, waysOf } from './role-ways.ts';

/** Lists the screens and calls that anybody could have by rights of the caller, a page of those that a search finds. */
export async function listActs(asked: PortalRequest) {
  const acts = await readActs(asked, heldBy(asked.caller.principal));
  const rows = [...acts].map(([key, { kind, name, on }]) => ({ Act: key, Kind: kind, Name: name, Detail: on }));
  return pageOf(searched(rows, asked.parameters), asked.parameters);
}

/**
 * Tells who can open a screen or make a call, and why: which rights it takes, of the caller's own, from the documents as
 * they are; and a page of the people who hold these, from the cloud.
 * @throws {PortalError} NOT_FOUND for what nobody could have by these rights
 */
export async function whoCan(asked: PortalRequest) {
  const { act, page, pageSize, search, outcome } = asked.parameters;
  const { caller } = asked;
  const held = heldBy(caller.principal);
  const key = String(act);
  const found = (await readActs(asked, held)).get(key);
  if (!found) throw new PortalError('NOT_FOUND');
  const ways = await waysOf(asked, held, key);
  const written = ways.map(({ userType, way }) => `${userType}:${namesOf(way).join('+')}`).join('|');
  const holders = await ask(asked, 'roles.holders', { ways: written, page, pageSize, search, outcome });
  const singly = caller.access.serverText('role.single');
  const countOf = (type: string) => ways.filter(({ userType }) => userType === type).length;
  const Needs = ways.flatMap(({ userType, way }, at) =>
    (namesOf(way).length === 0 ? ['anyone'] : namesOf(way)).map(right => ({
      ...{ Key: `${at} ${right}`, UserType: userType, Right: right },
      // One of several ways, by its place among those of the user type.
      Way: countOf(userType) > 1 ? at - ways.findIndex(one => one.userType === userType) + 1 : null,
    })),
  );
  return {
    ...{ Name: found.name, Kind: found.kind, Detail: found.on, Needs },
    ...{ Total: holders.Total, Counts: holders.Counts },
    Items: holders.Items.map(({ Roles, Singly, ...person }) => ({
      ...person,
      // Users of customers have no page among the staff.
      StaffName: person.UserType === 'endUser' ? null : person.UserName,
      From: [Roles, Singly ? singly : null].filter(Boolean).join(', '),
    })),
  };
}
