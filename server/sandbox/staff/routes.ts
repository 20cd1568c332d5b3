import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { changesStaff, invitesCustomerAdmins, invitesEngineers } from '../auth/needs.ts';
import { conflict } from '../http/errors.ts';
import { WithMessage } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, email, filled, id, list, object, partial, string } from '../http/schema.ts';
import { limitFields } from '../limits/fields.ts';
import type { Parts } from '../parts.ts';
import { withoutRowType } from '../resource/declaration.ts';
import { findRow, writeRow } from '../resource/rows.ts';
import { holdReseller } from '../roles/change.ts';
import { notHeld, readRights } from '../roles/rights.ts';
import type { Write } from '../tables.ts';
import { users } from '../users/resource.ts';
import { recordAct, requireMayAct, requireRoomForLink } from './acts.ts';
import { endOf, inviteCustomerAdmin, inviteEngineer, orTaken, sendInvitation } from './invitations.ts';
import { staff } from './resource.ts';
import type { StaffRow } from './tables.ts';

/** The role that is given; absent: the first of the predefined ones. */
const role = partial({ roleId: { type: 'string', pattern: '^\\d{1,15}$' } });
/** Without a limit an engineer sees all customers. */
const newEngineer = partial({ Name: filled(100), Email: email, ...limitFields }, 'Name', 'Email');
const made = object({ UserName: string, ValidUntil: date });
const terms = object({
  ValidUntil: date,
  Roles: list(object({ RoleId: id, Name: string, Description: string })),
});

/**
 * Adds the routes of invitations to the reseller's own people and to administrators of its customers (document 2,
 * section 2: add-engineer, add-customer-admin).
 */
export function addStaffRoutes(app: App, { db, portalUrl: portal, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['staff'], needs: changesStaff });

  /** Says until when an invitation could be accepted, and which roles the caller can give along. */
  const termsFor = async ({ accountId, resellerId }: Caller, userType: 'admin' | 'endUserAdmin') => {
    const held = await readRights(db, accountId);
    const roles = await db
      .selectFrom('roles as r')
      .selectAll()
      .where('user_type', '=', userType)
      .where(({ or, eb }) => or([eb('reseller_id', 'is', null), eb('reseller_id', '=', resellerId)]))
      .orderBy(sql`reseller_id is not null`)
      .orderBy('id')
      .execute();
    // The first is given without a choice.
    const given = roles.slice(1).filter(({ views, permissions, prices }) => {
      const names = [...views, ...permissions, ...(prices ? ['prices'] : [])];
      return notHeld(held, names).length === 0;
    });
    return {
      ValidUntil: endOf(now()),
      Roles: given.map(({ id, name, description }) => ({ RoleId: String(id), Name: name, Description: description })),
    };
  };

  route('GET /api/staff-invitations/engineer', { needs: invitesEngineers, reply: terms }, ({ caller }) =>
    termsFor(caller, 'admin'),
  );
  route('GET /api/staff-invitations/customer-admin', { needs: invitesCustomerAdmins, reply: terms }, ({ caller }) =>
    termsFor(caller, 'endUserAdmin'),
  );

  route(
    'POST /api/staff-invitations/engineer',
    { needs: invitesEngineers, once: true, mayWait: true, query: role, body: newEngineer, made },
    ({ trx, caller, query, body }) => orTaken(inviteEngineer({ trx, caller, portal, now: now() }, body, query.roleId)),
  );

  route(
    'POST /api/customers/:customerId/administrator-invitations',
    {
      needs: invitesCustomerAdmins,
      once: true,
      mayWait: true,
      query: role,
      body: object({ FirstName: filled(50), LastName: filled(50), Email: email }),
      made,
    },
    ({ trx, caller, params: { customerId }, query, body }) =>
      orTaken(inviteCustomerAdmin({ trx, caller, portal, now: now() }, customerId, body, query.roleId)),
  );

  /** Reads somebody who was invited and has not accepted, and holds them. */
  const findInvited = async (trx: Write, caller: Caller, userName: string): Promise<StaffRow> => {
    await holdReseller(trx, caller.resellerId);
    const row = await findRow(trx, staff, caller, { userName });
    requireMayAct(caller, row);
    if (row.state !== 'Invited') throw conflict('There is no open invitation: it was accepted or withdrawn.');
    return row;
  };

  route(
    'POST /api/staff/:userName/resend-invitation',
    { once: true, reply: object({ ValidUntil: date }) },
    async ({ trx, caller, params: { userName } }) => {
      const row = await findInvited(trx, caller, userName);
      await requireRoomForLink(trx, row, now());
      const invited = { ...row, name: row.display_name };
      const ValidUntil = await sendInvitation({ trx, caller, portal, now: now() }, invited, row.kind);
      return new WithMessage({ ValidUntil }, 'The invitation was sent again. The link of the one before is over.');
    },
  );

  route(
    'POST /api/staff/:userName/withdraw-invitation',
    { once: true },
    async ({ trx, caller, params: { userName } }) => {
      const row = await findInvited(trx, caller, userName);
      await recordAct({ trx, caller, row, now: now() }, 'Invitation withdrawn');
      if (row.user_id === null) await trx.deleteFrom('accounts').where('id', '=', row.id).execute();
      else {
        const path = { customerId: row.customer_id, userId: row.user_id };
        await writeRow(withoutRowType(users), 'remove', { trx, caller, now: now(), body: {} }, path);
      }
      return 'The invitation was withdrawn, and its link is over.';
    },
  );
}
