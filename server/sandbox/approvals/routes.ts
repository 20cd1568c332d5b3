import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { anyone, view } from '../auth/needs.ts';
import { isVisibleTo } from '../customers/scope.ts';
import type { AskedCall } from '../http/acts.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { keysOfRows } from '../http/keys.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  filled,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  string,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { approve, refuseAct, withdrawAct } from './decide.ts';
import { actKinds } from './kinds.ts';
import { permitOwnPeople } from './permit.ts';

const lists = ['mine', 'toDecide', 'decided'] as const;
const query = pageQuery({ list: { enum: lists }, kind: { enum: [...actKinds, ''] } });

const ofAct = (name: string): RawBuilder<string> => sql<string>`(a.act ->> ${name})`;
const row = fields('a', [
  { name: 'ApprovalId', shape: id, column: 'id' },
  { name: 'Kind', shape: { ...string, enum: actKinds } },
  { name: 'State', shape: { ...string, enum: ['Waiting', 'Approved', 'Refused', 'Withdrawn', 'Expired', 'Outdated'] } },
  { name: 'Target', column: ofAct('target') },
  { name: 'Count', shape: integer, column: sql`(a.act ->> 'count')::int` },
  { name: 'AskedBy', column: 'asker' },
  { name: 'Asked', shape: date, column: 'created' },
  { name: 'Until', shape: date, column: 'expires' },
  { name: 'Decided', shape: orNull(date) },
  { name: 'DecidedBy', column: 'decider' },
  { name: 'Reason' },
]);
const more = fields('a', [
  { name: 'MonthlyPrice', shape: orNull(money), column: sql`(a.act -> 'price' ->> 'monthly')::numeric(14, 2)` },
  { name: 'FirstCharge', shape: orNull(money), column: sql`(a.act -> 'price' ->> 'first')::numeric(14, 2)` },
  { name: 'Currency', shape: orNull(string), column: sql`a.act -> 'price' ->> 'currency'` },
  { name: 'Before', column: ofAct('before') },
  { name: 'After', column: ofAct('after') },
  { name: 'Names', column: sql`array_to_string(array(select jsonb_array_elements_text(a.act -> 'names')), ', ')` },
]);
/** The deletion of a customer that waits. */
const deletion = fields('a', [
  { name: 'CustomerId', shape: id, column: sql`c.organisation_id` },
  ...row.list.filter(({ name }) => ['ApprovalId', 'AskedBy', 'Asked', 'Until'].includes(name)),
]);
const rights = { IsOwn: boolean, MayDecide: boolean };

/** SQL over `approvals a`: those that the caller decides on, and those that the caller sees in each list. */
const isOwn = ({ accountId }: Caller) => sql<boolean>`(a.asker_id is not distinct from ${accountId})`;
/** Who is limited to certain customers does not see what others ask for. */
const decides = (caller: Caller) => caller.views.includes('manageUsers') && !caller.isLimited;
const inList = (caller: Caller): Readonly<Record<(typeof lists)[number], RawBuilder<boolean>>> => ({
  mine: sql<boolean>`(a.state = 'Waiting' and ${isOwn(caller)})`,
  toDecide: sql<boolean>`(a.state = 'Waiting' and not ${isOwn(caller)} and ${decides(caller)})`,
  decided: sql<boolean>`(a.state <> 'Waiting')`,
});
const isSeen = (caller: Caller) =>
  sql<boolean>`(a.reseller_id = ${caller.resellerId} and (${decides(caller)} or ${isOwn(caller)}))`;

/**
 * Adds the routes of what waits for the approval of another person: who asked sees their own, whoever manages access all
 * of the reseller. Nobody decides while they act as another person.
 */
export function addApprovalRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['approvals'], needs: anyone, permit: permitOwnPeople });
  const counts = object({ All: integer, mine: integer, toDecide: integer, decided: integer });
  const page = object({ Items: list(row.schema), Total: integer, Counts: counts });

  route('GET /api/approvals', { query, reply: page }, ({ caller, query }) =>
    listPage(db, query, {
      fields: row,
      from: sql`approvals a`,
      where: isSeen(caller),
      filters: { list: name => inList(caller)[name], kind: kind => sql`a.kind = ${kind}` },
      counts: { filter: 'list', values: lists },
      order: sql`a.state <> 'Waiting', coalesce(a.decided, a.created) desc, a.id desc`,
    }),
  );

  route(
    'GET /api/approvals/deletions',
    {
      summary: 'Which of some customers wait to be deleted, by their OrganisationIds.',
      query: object({ customerIds: keysOfRows }),
      reply: object({ Items: list(deletion.schema) }),
    },
    async ({ caller, query }) => {
      // A customer is named by either of its ids.
      const { rows } = await sql<RowOf<typeof deletion>>`
        select ${selected(deletion)}
        from approvals a join customers c on a.asked -> 'params' ->> 'customerId' in (c.organisation_id::text, c.id::text)
        where a.kind = 'CustomerDeletion' and a.state = 'Waiting' and ${isSeen(caller)} and ${isVisibleTo(caller)}
          and c.organisation_id = any(${query.customerIds.split(',')}::bigint[])
        order by a.id`.execute(db);
      return { Items: rows };
    },
  );

  route(
    'GET /api/approvals/:approvalId',
    { reply: object({ ...row.shapes, ...more.shapes, ...rights }) },
    async ({ caller, params: { approvalId } }) => {
      const { rows } = await sql<{ readonly asked: AskedCall | null; readonly own: boolean }>`
        select ${selected(row)}, ${selected(more)}, a.asked, ${isOwn(caller)} as own
        from approvals a where a.id = ${idOf(approvalId)} and ${isSeen(caller)}`.execute(db);
      if (!rows[0]) throw notFound();
      const { asked, own, ...found } = rows[0];
      const isOpen = asked !== null && (app.acts.routes.get(asked.route)?.isOpenTo(caller, asked.params) ?? false);
      return { ...found, IsOwn: own, MayDecide: isOpen && !own && decides(caller) };
    },
  );

  const decidingRoute = routeAdder(app, db, {
    ...{ tags: ['approvals'], needs: view('manageUsers') },
    permit: async request => {
      await permitOwnPeople(request);
      if (request.caller.isLimited) throw notFound();
    },
  });
  decidingRoute('POST /api/approvals/:approvalId/approve', {}, async ({ caller, params: { approvalId } }) => {
    await approve(db, app.acts, caller, approvalId, now());
    return 'Approved and carried out.';
  });

  decidingRoute(
    'POST /api/approvals/:approvalId/refuse',
    { body: object({ Reason: filled(500) }), once: true },
    async ({ trx, caller, params: { approvalId }, body: { Reason } }) => {
      await refuseAct({ trx, caller, now: now() }, approvalId, Reason.trim());
      return 'Refused.';
    },
  );

  route('POST /api/approvals/:approvalId/withdraw', { once: true }, async ({ trx, caller, params: { approvalId } }) => {
    await withdrawAct({ trx, caller, now: now() }, approvalId);
    return 'Withdrawn.';
  });
}
