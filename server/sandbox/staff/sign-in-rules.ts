import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { changesStaff, managesPeople } from '../auth/needs.ts';
import { conflict, notFound, notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, integer, list, object, orNull, partial, string } from '../http/schema.ts';
import { requireSeesAll } from '../limits/limit.ts';
import type { Parts } from '../parts.ts';
import { fields, selected } from '../resource/fields.ts';
import { recordAccess } from '../roles/activity.ts';
import { holdReseller } from '../roles/change.ts';
import type { Database, Write } from '../tables.ts';
import { actedKinds } from './permit.ts';
import type { StaffRow } from './tables.ts';

type Kind = StaffRow['kind'];
const kinds: readonly string[] = ['admin', 'endUserAdmin', 'reseller'] satisfies Kind[];
const isKind = (word: string): word is Kind => kinds.includes(word);

const active = sql`s.reseller_id = k.reseller_id and s.kind = k.user_type and s.state = 'Active'`;
const rule = fields('k', [
  { name: 'UserType' },
  { name: 'MfaRequired', shape: boolean, column: sql`coalesce(r.mfa_required, false)` },
  { name: 'Suffix', column: sql`coalesce(r.suffix, '')` },
  { name: 'People', shape: integer, column: sql`(select count(*)::int from staff s where ${active})` },
  {
    name: 'WithoutFactor',
    shape: integer,
    column: sql`(select count(*)::int from staff s where ${active} and s.second_factor in ('Off', 'Required'))`,
  },
  { name: 'MayChange', shape: boolean, column: sql`k.user_type = any(k.acted)` },
]);

/** A name to sign in with: the address with the suffix, after a dot, before its @. */
export const withSuffix = (email: string, suffix: string): string =>
  suffix === '' ? email : email.replace(/@(?=[^@]*$)/, `.${suffix}@`);

/** Reads what new sign-in names of a kind have before their @; empty for nothing. */
export async function readSuffix(db: Database, resellerId: number, kind: Kind): Promise<string> {
  const rules = db.selectFrom('sign_in_rules').select('suffix').where('reseller_id', '=', resellerId);
  return (await rules.where('user_type', '=', kind).executeTakeFirst())?.suffix ?? '';
}

/**
 * Adds the routes of what holds for all of a kind at the reseller (document 2, section 7: role-based access): whether a
 * second factor is required from the next sign-in on, and the suffix of new sign-in names.
 */
export function addSignInRuleRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['staff'], needs: changesStaff });

  const read = async (caller: Caller) => {
    const { rows } = await sql`
      select ${selected(rule)} from (
        select ${caller.resellerId}::bigint as reseller_id, user_type, place, ${actedKinds(caller)}::text[] as acted
        from unnest(${[...kinds]}::text[]) with ordinality as t (user_type, place)) k
      left join sign_in_rules r on r.reseller_id = k.reseller_id and r.user_type = k.user_type
      order by k.place`.execute(db);
    return rows;
  };
  for (const part of ['settings', 'mfa', 'settings/mfa'])
    route(`GET /api/role-based-access/${part}`, { needs: managesPeople, reply: list(rule.schema) }, ({ caller }) =>
      read(caller),
    );

  route(
    'GET /api/role-based-access/settings/suffix/:userType',
    { needs: managesPeople, reply: object({ UserType: string, Suffix: string, Example: string }) },
    async ({ caller, params: { userType } }) => {
      if (!isKind(userType)) throw notFound();
      const suffix = await readSuffix(db, caller.resellerId, userType);
      return { UserType: userType, Suffix: suffix, Example: withSuffix(caller.email, suffix) };
    },
  );

  route(
    'GET /api/users/advanced-administrators',
    {
      summary: 'Those of the reseller’s people who may change what others may do.',
      needs: managesPeople,
      reply: list(object({ UserName: string, Name: string, UserType: string, LastSignIn: orNull(date) })),
    },
    async ({ caller }) => {
      const { rows } = await sql`
        select s.username as "UserName", s.display_name as "Name", s.kind as "UserType", s.last_sign_in as "LastSignIn"
        from staff s join account_permissions p on p.account_id = s.id
        where s.reseller_id = ${caller.resellerId} and s.customer_id is null and s.state = 'Active'
          and 'manageUsers' = any(p.views)
        order by s.display_name, s.id`.execute(db);
      return rows;
    },
  );

  type Written = { readonly mfa_required: boolean } | { readonly suffix: string };
  const write = async (trx: Write, caller: Caller, user_type: Kind, row: Written, action: string, detail = '') => {
    const { resellerId } = caller;
    await trx
      .insertInto('sign_in_rules')
      .values({ reseller_id: resellerId, user_type, ...row })
      .onConflict(known => known.columns(['reseller_id', 'user_type']).doUpdateSet(row))
      .execute();
    await recordAccess(trx, { resellerId, caller, now: now() }, { action, target: user_type, detail });
  };
  const check = async (trx: Write, caller: Caller, kind: string): Promise<Kind> => {
    if (!isKind(kind)) throw notFound();
    if (!actedKinds(caller).includes(kind)) throw notPermitted();
    requireSeesAll(caller);
    await holdReseller(trx, caller.resellerId);
    return kind;
  };

  route(
    'PUT /api/role-based-access/settings/mfa/:userType',
    { body: object({ Required: boolean }), once: true },
    async ({ trx, caller, params: { userType }, body: { Required } }) => {
      const kind = await check(trx, caller, userType);
      const action = Required ? 'Second factor required of all' : 'Second factor not required of all';
      await write(trx, caller, kind, { mfa_required: Required }, action);
      return 'The rule was saved.';
    },
  );

  route(
    'PUT /api/role-based-access/settings/suffix/:userType',
    { body: partial({ Suffix: { type: 'string', pattern: '^[a-z0-9]{0,20}$', default: '' } }), once: true },
    async ({ trx, caller, params: { userType }, body: { Suffix = '' } }) => {
      const kind = await check(trx, caller, userType);
      // The first name that the suffix would make and that another account has: an invitation would be refused.
      const { rows } = await sql<{ username: string }>`
        select o.username from staff s join accounts o
          on lower(o.username) = lower(regexp_replace(s.email, '@(?=[^@]*$)', ${`.${Suffix}@`})) and o.id <> s.id
        where s.reseller_id = ${caller.resellerId} and s.kind = ${kind} and ${Suffix} <> ''
        order by o.username limit 1`.execute(trx);
      if (rows[0]) throw conflict(`With this suffix a name would be that of another account: ${rows[0].username}.`);
      await write(trx, caller, kind, { suffix: Suffix }, 'Suffix of sign-in names changed', Suffix);
      return 'The suffix was saved. Names that there are stay as they are.';
    },
  );
}
