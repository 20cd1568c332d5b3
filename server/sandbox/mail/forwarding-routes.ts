import { view } from '../auth/needs.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object, partial, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import {
  addForward,
  checkTarget,
  deleteForward,
  forwardCheck,
  forwardingInfo,
  keepCopy,
  mayForwardOutside,
  readForwarding,
} from './forwarding.ts';
import { findMailbox, tellPages } from './mailbox.ts';

const address = text(320);

/** Adds the routes of forwarding: of a mailbox, and what the security settings of an organisation allow. */
export function addForwardingRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['mail'], needs: view('customerUsers') });
  const mailbox = '/api/customers/:customerId/mailboxes/:mailbox' as const;

  route(`GET ${mailbox}/forwarding`, { reply: forwardingInfo }, async ({ caller, params: at }) =>
    readForwarding(db, await findMailbox(db, caller, at.customerId, at.mailbox)),
  );

  route(
    `GET ${mailbox}/forwarding-check`,
    { query: partial({ Address: address }), reply: forwardCheck },
    async ({ caller, params: at, query }) =>
      checkTarget(db, await findMailbox(db, caller, at.customerId, at.mailbox), query.Address ?? ''),
  );

  route(
    `POST ${mailbox}/forwarding`,
    { once: true, body: partial({ Address: address, IsConfirmed: boolean }, 'Address') },
    async ({ trx, caller, params: at, body }) => {
      await addForward({ trx, caller, now: now() }, at, body);
      return 'New mail is forwarded there.';
    },
  );

  route(`DELETE ${mailbox}/forwarding/:address`, { once: true }, async ({ trx, caller, params: at }) => {
    await deleteForward({ trx, caller, now: now() }, at, at.address);
    return 'Mail is no longer forwarded there.';
  });

  route(
    `PUT ${mailbox}/forwarding/copy`,
    { once: true, body: object({ KeepCopy: boolean }) },
    async ({ trx, caller, params: at, body }) => {
      await keepCopy({ trx, caller, now: now() }, at, body.KeepCopy);
      return body.KeepCopy ? 'A copy stays in the mailbox.' : 'No copy stays in the mailbox.';
    },
  );

  const security = '/api/customers/:customerId/mail-security' as const;

  route(
    `GET ${security}`,
    { reply: object({ ForwardsOutside: boolean }) },
    async ({ caller, params: { customerId } }) => ({
      ForwardsOutside: await mayForwardOutside(db, await customerIdOf(db, caller, customerId)),
    }),
  );

  route(
    `PUT ${security}`,
    { once: true, body: object({ ForwardsOutside: boolean }) },
    async ({ trx, caller, params, body }) => {
      const customer_id = await customerIdOf(trx, caller, params.customerId);
      const state = (allowed: boolean) => ({ 'Forwarding outside': allowed ? 'Allowed' : 'Refused' });
      const told = differences(state(await mayForwardOutside(trx, customer_id)), state(body.ForwardsOutside));
      if (isSame(told)) return 'The setting was saved.';
      const row = { customer_id, forwards_outside: body.ForwardsOutside };
      const { forwards_outside } = row;
      await trx
        .insertInto('mail_security')
        .values(row)
        .onConflict(known => known.column('customer_id').doUpdateSet({ forwards_outside }))
        .execute();
      const event = { action: 'Mail security changed', target: 'Forwarding', ...told };
      await recordActivity(trx, customer_id, caller, now(), event);
      await tellPages(trx, caller, customer_id);
      return 'The setting was saved.';
    },
  );
}
