import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Caller, findCaller } from '../../auth/caller.ts';
import { countOpened, mostInADay, openTicket } from '../../support/open.ts';
import { writesTickets } from '../../support/scope.ts';
import type { Database, Write } from '../../tables.ts';

/** Milliseconds for which a page of the chat can be written from. */
const visitLife = 8 * 3_600_000;
/** Pages that an account may have open at once; the one opened longest ago goes. */
const mostVisits = 5;
/** Milliseconds for which what was written is kept. */
const memory = 30 * 86_400_000;
/** Messages of an account that are kept; the oldest go. */
const mostKept = 200;
/** Messages that an account may write in an hour. */
const mostInAnHour = 100;

/** The person who has the chat open, as the agent sees them. */
export type Visitor = {
  readonly accountId: number;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
  readonly organisationId: string;
  /** The visitor's own tickets that are not closed. */
  readonly tickets: readonly { readonly id: number; readonly subject: string; readonly status: string }[];
};

/** Opens a page of the chat for an account; its key is in the forms of that page and in no address. */
export async function openVisit(db: Database, accountId: number, now: Date): Promise<string> {
  const key = randomBytes(24).toString('base64url');
  await db.deleteFrom('chat_visits').where('expires', '<', now).execute();
  await db
    .deleteFrom('chat_messages')
    .where('at', '<', new Date(now.getTime() - memory))
    .execute();
  await db
    .insertInto('chat_visits')
    .values({ key, account_id: accountId, expires: new Date(now.getTime() + visitLife) })
    .execute();
  await sql`
    delete from chat_visits where account_id = ${accountId} and key <> ${key} and key not in (
      select key from chat_visits where account_id = ${accountId} and key <> ${key}
      order by expires desc limit ${mostVisits - 1})`.execute(db);
  return key;
}

/** Finds the account whose page has this key; undefined once it is over. */
export async function findVisit(db: Database, key: string, now: Date): Promise<number | undefined> {
  const found = await db
    .selectFrom('chat_visits')
    .select('account_id')
    .where('key', '=', key)
    .where('expires', '>', now)
    .executeTakeFirst();
  return found?.account_id;
}

/** Reads who an account is; undefined where it is disabled or gone. */
export async function readVisitor(db: Database, accountId: number): Promise<Visitor | undefined> {
  const who = await db
    .selectFrom('accounts as a')
    .innerJoin('resellers as r', 'r.id', 'a.reseller_id')
    .leftJoin('customers as c', 'c.id', 'a.customer_id')
    .select(['a.display_name as name', 'a.email'])
    .select(sql<string>`coalesce(c.name, r.name)`.as('organisation'))
    .select(sql<string>`coalesce(c.organisation_id, r.id)::text`.as('organisationId'))
    .where('a.id', '=', accountId)
    .where('a.enabled', '=', true)
    .executeTakeFirst();
  if (!who) return undefined;
  const tickets = await db
    .selectFrom('tickets')
    .select(['id', 'subject', 'status'])
    .where('account_id', '=', accountId)
    .where('status', '<>', 'Closed')
    .orderBy('updated', 'desc')
    .limit(50)
    .execute();
  return { accountId, ...who, tickets };
}

export type ChatMessage = { readonly at: Date; readonly byAgent: boolean; readonly content: string };

/** Reads what was written, the oldest first. */
export async function readMessages(db: Database, accountId: number): Promise<readonly ChatMessage[]> {
  const rows = await db
    .selectFrom('chat_messages')
    .select(['at', 'by_agent as byAgent', 'content'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(mostKept)
    .execute();
  return rows.reverse();
}

/** Keeps messages in their order. */
export async function keepMessages(
  db: Database,
  accountId: number,
  now: Date,
  messages: readonly Pick<ChatMessage, 'byAgent' | 'content'>[],
): Promise<void> {
  const rows = messages.map(({ byAgent, content }) => ({ account_id: accountId, at: now, by_agent: byAgent, content }));
  await db.insertInto('chat_messages').values(rows).execute();
  await sql`
    delete from chat_messages where account_id = ${accountId} and id <= (
      select id from chat_messages where account_id = ${accountId} order by id desc offset ${mostKept} limit 1)`.execute(
    db,
  );
}

/** True once an account has written as much as it may in an hour. */
export async function writesTooMuch(db: Database, accountId: number, now: Date): Promise<boolean> {
  const { written } = await db
    .selectFrom('chat_messages')
    .select(sql<number>`count(*)::int`.as('written'))
    .where('account_id', '=', accountId)
    .where('by_agent', '=', false)
    .where('at', '>', new Date(now.getTime() - 3_600_000))
    .executeTakeFirstOrThrow();
  return written >= mostInAnHour;
}

/** The account as it is signed in to the portal now: its rights are read anew. */
async function callerOf(db: Write, accountId: number): Promise<Caller | undefined> {
  const grant = await db
    .selectFrom('grants')
    .select('id')
    .where('account_id', '=', accountId)
    .where('revoked', 'is', null)
    .where('actor_id', 'is', null)
    .where('api_key_id', 'is', null)
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst();
  const caller = grant && (await findCaller(db, grant.id));
  return caller?.enabled && !caller.revoked ? caller : undefined;
}

const noContext = {
  ...{ OrganisationId: null, CustomerName: null, UserId: null },
  ...{ Product: '', Screen: '', Reference: '', Failure: '' },
} as const;

/**
 * Makes a ticket of what was written since the last one, as the account.
 * @returns its number; undefined where there is nothing to write, or the account may not
 */
export async function makeTicket(db: Database, visitor: Visitor, now: Date): Promise<number | undefined> {
  const all = await readMessages(db, visitor.accountId);
  const last = all.findLastIndex(({ byAgent, content }) => byAgent && isAboutTicket(content));
  const messages = all.slice(last + 1);
  const first = messages.find(({ byAgent }) => !byAgent);
  if (!first) return undefined;
  const Description = messages
    .map(({ byAgent, content }) => `${byAgent ? 'Support' : visitor.name}: ${content}`)
    .join('\n\n')
    .slice(0, 20_000);
  const subject = `Live chat: ${first.content.replace(/\s+/g, ' ')}`;
  return await db.transaction().execute(async trx => {
    const caller = await callerOf(trx, visitor.accountId);
    if (!caller || !writesTickets.isMet(caller, {}) || (await countOpened(trx, caller, now)) >= mostInADay)
      return undefined;
    const asked = { Priority: 'Normal', OrganisationId: '', UserId: '', Product: '', origin: 'chat' } as const;
    const Subject = subject.length > 150 ? `${subject.slice(0, 149)}…` : subject;
    return await openTicket({ trx, caller, now }, { ...asked, Subject, Description }, noContext);
  });
}

const aboutTicket = 'I have opened ticket ';
/** Says that a ticket was opened; what is written after it belongs to the next. */
export const sayOpened = (id: number): string =>
  `${aboutTicket}${id} with all that we wrote. You find it in the portal under Support, Tickets, and a colleague answers you there.`;
const isAboutTicket = (content: string): boolean => content.startsWith(aboutTicket);
