import { invitesEngineers, managesPeople } from '../auth/needs.ts';
import { conflict } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, integer, list, object, orNull, partial, search, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { findRow } from '../resource/rows.ts';
import { holdReseller } from '../roles/change.ts';
import { requireMayAct } from '../staff/acts.ts';
import { actedKinds } from '../staff/permit.ts';
import { staff } from '../staff/resource.ts';
import { limitFields, limitKinds } from './fields.ts';
import { countWanted, listIds, readLimit, type WantedLimit, writeLimit } from './limit.ts';

const body = partial(limitFields, 'Sees');

/** Adds the routes of which customers an engineer sees. */
export function addLimitRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['staff'], needs: managesPeople });

  route(
    'GET /api/staff/:userName/customer-limit',
    {
      reply: object({
        UserName: string,
        Name: string,
        Sees: { enum: limitKinds },
        Word: orNull(string),
        Customers: list(id),
        Seen: integer,
        Of: integer,
        MayChange: boolean,
      }),
    },
    async ({ caller, params: { userName } }) => {
      const row = await findRow(db, staff, caller, { userName });
      const mayAct = row.id !== caller.accountId && !row.sees_more && actedKinds(caller).includes(row.kind);
      return {
        ...{ UserName: row.username, Name: row.display_name, MayChange: mayAct && row.kind === 'admin' },
        ...(await readLimit(db, caller, row)),
      };
    },
  );

  route(
    'PUT /api/staff/:userName/customer-limit',
    { needs: invitesEngineers, body, once: true, mayWait: true },
    async ({ trx, caller, params: { userName }, body: wanted }) => {
      await holdReseller(trx, caller.resellerId);
      const row = await findRow(trx, staff, caller, { userName });
      requireMayAct(caller, row);
      if (row.kind !== 'admin') throw conflict('Only an engineer can be limited to certain customers.');
      await writeLimit(trx, { caller, now: now() }, { ...row, name: row.display_name }, wanted as WantedLimit);
      return 'It was saved which customers are seen.';
    },
  );

  route(
    'POST /api/customer-limits/count',
    {
      summary: 'Counts the customers that an engineer with this limit would see; changes nothing.',
      needs: invitesEngineers,
      body,
      reply: object({ Seen: integer, Of: integer }),
    },
    ({ caller, body: wanted }) => countWanted(db, caller, wanted as WantedLimit),
  );

  route(
    'GET /api/customer-limits/ids',
    { needs: invitesEngineers, query: partial({ search }), reply: list(id) },
    ({ caller, query }) => listIds(db, caller, query.search),
  );
}
