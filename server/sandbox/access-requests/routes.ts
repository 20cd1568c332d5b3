import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { anyone, managesPeople } from '../auth/needs.ts';
import { permissions, views } from '../auth/words.ts';
import { notFound, notPermitted } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  date,
  filled,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  partial,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { namesOfRights, ofMailboxes, readRights } from '../roles/rights.ts';
import type { Database } from '../tables.ts';
import { askForRights } from './asking.ts';
import { type AccessRequest, endRequest, needsInWords, withAsker } from './endings.ts';

/** Most requests of one's own that are listed, the newest. */
const most = 200;

const rights = {
  type: 'array',
  minItems: 1,
  maxItems: 40,
  uniqueItems: true,
  items: { enum: [...views, ...permissions, 'prices'] },
} as const;
const asked = partial(
  { Mark: filled(200), Title: filled(200), Address: text(500), Rights: rights, Reason: text(500) },
  ...(['Mark', 'Title', 'Rights'] as const),
);
const refusal = object({ Reason: text(500) });

const ownRequest = {
  Id: id,
  Mark: string,
  Title: string,
  Address: string,
  Reason: string,
  State: string,
  Created: date,
  Expires: date,
  Ended: orNull(date),
  EndedBy: string,
  Answer: string,
};
const openRequest = {
  Id: id,
  UserName: string,
  Name: string,
  UserType: string,
  CustomerName: string,
  Title: string,
  Rights: list(string),
  Needs: string,
  Reason: string,
  State: string,
  Created: date,
  Expires: date,
};

/**
 * Adds the routes of what people ask for who lack a right: to ask and withdraw for oneself, and to list and refuse for
 * whoever manages people and holds the rights themselves. A request is granted by giving its rights in any way.
 */
export function addAccessRequestRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['access requests'], needs: anyone });
  const managed = routeAdder(app, db, { tags: ['access requests'], needs: managesPeople });

  route('GET /api/own-access-requests', { reply: list(object(ownRequest)) }, async ({ caller }) => {
    const rows = await db
      .selectFrom('access_requests')
      .selectAll()
      .where('account_id', '=', caller.accountId)
      .orderBy('created', 'desc')
      .orderBy('id', 'desc')
      .limit(most)
      .execute();
    return rows.map(row => ({
      ...{ Id: String(row.id), Mark: row.mark, Title: row.title, Address: row.address, Reason: row.reason },
      ...{ State: row.state, Created: row.created, Expires: row.expires },
      ...{ Ended: row.ended, EndedBy: row.ended_by, Answer: row.answer },
    }));
  });

  route(
    'POST /api/own-access-requests',
    { body: asked, made: object({ Id: id }), once: true },
    async ({ caller, body: { Mark, Title, Address = '', Rights, Reason = '' }, trx }) => {
      // Who acts for somebody asks for nothing in their name.
      if (caller.actorName !== null) throw notPermitted();
      const given = { mark: Mark, title: Title, address: Address, rights: Rights, reason: Reason.trim() };
      return { Id: String(await askForRights(trx, caller, given, now())) };
    },
  );

  route('POST /api/own-access-requests/:requestId/withdraw', {}, async ({ caller, params: { requestId } }) => {
    await db.transaction().execute(async trx => {
      const request = await withAsker(trx)
        .where('q.id', '=', idOf(requestId))
        .where('q.account_id', '=', caller.accountId)
        .executeTakeFirstOrThrow(notFound);
      await endRequest(trx, request, { state: 'Withdrawn', by: caller, now: now() });
    });
    return 'The request was withdrawn.';
  });

  managed(
    'GET /api/access-requests',
    {
      summary: 'Open requests for rights that the caller can give, the oldest first.',
      query: pageQuery({}),
      reply: object({ Items: list(object(openRequest)), Total: integer }),
    },
    async ({ caller, query: { page, pageSize } }) => {
      const requests = (await requestsFor(db, caller)).where('q.state', '=', 'Open').where('a.enabled', '=', true);
      const { total } = await requests
        .clearSelect()
        .select(sql<number>`count(*)::int`.as('total'))
        .executeTakeFirstOrThrow();
      const paged = requests
        .orderBy('q.created')
        .orderBy('q.id')
        .limit(pageSize)
        .offset((page - 1) * pageSize);
      return { Items: (await paged.execute()).map(onWire), Total: total };
    },
  );

  managed(
    'GET /api/access-requests/:requestId',
    { reply: object(openRequest) },
    async ({ caller, params: { requestId } }) => {
      const requests = (await requestsFor(db, caller)).where('q.id', '=', idOf(requestId));
      return onWire(await requests.executeTakeFirstOrThrow(notFound));
    },
  );

  managed(
    'POST /api/access-requests/:requestId/refuse',
    { body: refusal, once: true },
    async ({ caller, params: { requestId }, body: { Reason }, trx }) => {
      const requests = (await requestsFor(trx, caller)).where('q.id', '=', idOf(requestId));
      await requests.executeTakeFirstOrThrow(notFound);
      const request: AccessRequest = await withAsker(trx)
        .where('q.id', '=', idOf(requestId))
        .executeTakeFirstOrThrow(notFound);
      await endRequest(trx, request, { state: 'Refused', by: caller, answer: Reason.trim(), now: now() });
      return 'The request was refused.';
    },
  );
}

/** Builds a query for the requests of others, whatever became of them, whose rights the caller could give. */
async function requestsFor(db: Database, caller: Caller) {
  const given = [...namesOfRights(await readRights(db, caller.accountId)), ...ofMailboxes];
  return withAsker(db)
    .leftJoin('customers as c', 'c.id', 'a.customer_id')
    .select(['q.state', 'q.reason', 'q.created', 'q.expires', 'a.username', 'a.user_type', 'c.name as customer'])
    .where('q.reseller_id', '=', caller.resellerId)
    .where('q.account_id', '!=', caller.accountId)
    .where(sql<boolean>`q.rights <@ ${given}::text[]`);
}

type Found = Awaited<ReturnType<Awaited<ReturnType<typeof requestsFor>>['executeTakeFirstOrThrow']>>;

const onWire = (row: Found) => ({
  ...{ Id: String(row.id), UserName: row.username, Name: row.display_name, UserType: row.user_type },
  ...{ CustomerName: row.customer ?? '', Title: row.title, Rights: row.rights, Needs: needsInWords(row.rights) },
  ...{ Reason: row.reason, State: row.state, Created: row.created, Expires: row.expires },
});
