import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { permissions, userTypes, views } from '../auth/words.ts';
import { boolean, date, filled, id, integer, list, string, text } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';

// Words in replies are text: the portal takes whatever rights a cloud has.
const viewList = list(string);
const permissionList = list(string);
const userType = { ...string, enum: userTypes } as const;

/** Rights in a body: those of a role, or of an account. */
export const rightsBody = {
  Views: { type: 'array', items: { enum: views }, uniqueItems: true },
  Permissions: { type: 'array', items: { enum: permissions }, uniqueItems: true },
  Prices: boolean,
} as const;
export const rightsReply = { Views: viewList, Permissions: permissionList, Prices: boolean };

/** Lines of a role's tests: an address of a screen, or the name of a call. */
const tests = { type: 'array', maxItems: 100, uniqueItems: true, items: filled(200) } as const;

/** A role in a body. */
export const roleBody = { Name: filled(60), Description: text(200), ...rightsBody, May: tests, MayNot: tests } as const;
export const newRoleBody = { ...roleBody, UserType: { enum: userTypes } } as const;
export const roleUserType = userType;

/** Of a caller, as far as it decides what a role says. */
type Reader = Pick<Caller, 'resellerId' | 'accountId'>;

/** SQL over a role `r`: how many people of the caller's reseller have it; of one of its own, nobody else has it. */
const people = ({ resellerId }: Reader): RawBuilder<number> => sql<number>`case
  when r.reseller_id is not null then (select count(*)::int from account_roles h where h.role_id = r.id)
  else (
    select count(*)::int from account_roles h join accounts a on a.id = h.account_id
    where h.role_id = r.id and a.reseller_id = ${resellerId}) end`;

/** A role as the caller's reseller sees it. */
export const roleFields = (caller: Reader) =>
  fields('r', [
    { name: 'RoleId', shape: id, column: 'id' },
    { name: 'Name' },
    { name: 'Description' },
    { name: 'UserType', shape: userType },
    { name: 'IsPredefined', shape: boolean, column: sql`r.reseller_id is null` },
    { name: 'Views', shape: viewList },
    { name: 'Permissions', shape: permissionList },
    { name: 'Prices', shape: boolean },
    { name: 'People', shape: integer, column: people(caller) },
    {
      name: 'IsOwn',
      shape: boolean,
      column: sql`exists (select from account_roles h where h.role_id = r.id and h.account_id = ${caller.accountId})`,
    },
    { name: 'Version', shape: integer },
    { name: 'Changed', shape: date },
    { name: 'ChangedBy' },
  ]);

/** The shapes of a role's fields, which are the same for every caller. */
export const roleShapes = roleFields({ resellerId: 0, accountId: 0 }).shapes;

/** SQL over a role `r`: it is predefined, or the reseller's own. */
export const isOfReseller = (resellerId: number) =>
  sql<boolean>`(r.reseller_id is null or r.reseller_id = ${resellerId})`;
