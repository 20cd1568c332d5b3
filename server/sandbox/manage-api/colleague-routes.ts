import { sql } from 'kysely';
import { allOf, changesStaff, managesPeople, type Need } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  search,
  string,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import { actsOn } from '../staff/permit.ts';
import { revokeKeys } from './revoke.ts';

const byPerson: Need = {
  label: 'by a sign-in of their own',
  isMet: ({ actorName, apiCalls }) => actorName === null && apiCalls === null,
};

const states = ['Good', 'Stopped', 'Expired'] as const;
const key = fields('k', [
  { name: 'KeyId', column: sql`k.id`, shape: id },
  { name: 'Name', column: sql`k.name` },
  { name: 'Owner', column: sql`staff.display_name` },
  { name: 'OwnerUserName', column: sql`staff.username` },
  { name: 'Operations', column: sql`cardinality(k.operations)`, shape: integer },
  {
    name: 'OperationNames',
    column: sql`array_to_string(k.operations[1:20], ', ') || case when cardinality(k.operations) > 20 then ', …' else '' end`,
  },
  { name: 'LastUsed', column: sql`k.last_used`, shape: orNull(date) },
  { name: 'LastAddress', column: sql`coalesce(k.last_address, '')` },
  { name: 'Expires', column: sql`k.expires`, shape: date },
]);
const row = { ...key.schema.properties, State: { ...string, enum: states }, MayRevoke: boolean };

/**
 * Adds the routes by which whoever manages people sees the keys of colleagues, never a key itself, and ends them. A key is
 * stopped while its owner is disabled.
 */
export function addColleagueKeyRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['manage-api'], needs: allOf(managesPeople, byPerson) });

  route(
    'GET /api/ManageApi/Colleagues',
    { query: pageQuery({ search }), reply: object({ Items: list(object(row)), Total: integer }) },
    async ({ caller, query }) => {
      const more = fields('k', [
        ...key.list,
        {
          name: 'State',
          column: sql`case when k.expires <= ${now()} then 'Expired' when staff.enabled then 'Good' else 'Stopped' end`,
        },
        { name: 'MayRevoke', column: actsOn(caller), shape: boolean },
      ]);
      return await listPage(db, query, {
        fields: more,
        from: sql`api_keys k join staff on staff.id = k.account_id`,
        where: sql`staff.reseller_id = ${caller.resellerId} and staff.customer_id is null and staff.id <> ${caller.accountId}`,
        filters: {
          search: words => sql`${searchKeyOf(sql`k.name || ' ' || staff.display_name`)} like ${containing(words)}`,
        },
        order: sql`staff.display_name, k.name, k.id`,
      });
    },
  );

  route(
    'POST /api/ManageApi/Colleagues/:keyId/Revoke',
    { once: true, needs: allOf(changesStaff, byPerson) },
    async ({ trx, caller, params: { keyId } }) => {
      if (!/^\d{1,15}$/.test(keyId)) throw notFound();
      const { rows } = await sql<{ readonly id: number }>`
        select k.id from api_keys k join staff on staff.id = k.account_id
        where k.id = ${keyId}::bigint and staff.reseller_id = ${caller.resellerId} and staff.customer_id is null
          and ${actsOn(caller)}`.execute(trx);
      const [found] = rows;
      if (!found) throw notFound();
      await revokeKeys(trx, caller, [Number(found.id)], now());
      return 'The key was revoked.';
    },
  );
}
