import { sql } from 'kysely';
import { refuseConflict } from '../http/refusals.ts';
import { addressOfUser } from '../mail/addresses.ts';
import { revokeKeys } from '../manage-api/revoke.ts';
import { dayOf, readAccess, writeAccess } from '../roles/account-access.ts';
import { namesOfRights, noRights, type Rights } from '../roles/rights.ts';
import { countOfServices } from '../services/holders.ts';
import { endSignIns } from '../staff/acts.ts';
import type { Person } from '../staff/find-person.ts';
import type { Database, Write } from '../tables.ts';
import { otherAdministrators } from '../users/administrators.ts';
import type { Finding, LeavingTask } from './task.ts';

const found = (Code: string, Count: number, Detail = ''): Finding[] => (Count > 0 ? [{ Code, Count, Detail }] : []);

async function switchTo(trx: Write, { accountId, userId }: Person, isActive: boolean): Promise<void> {
  if (accountId !== null)
    await trx.updateTable('accounts').set({ enabled: isActive }).where('id', '=', accountId).execute();
  const status = isActive ? 'Active' : 'Suspended';
  if (userId !== null) await trx.updateTable('users').set({ status }).where('id', '=', userId).execute();
}

/** Suspends the user and disables the account. */
const account: LeavingTask = {
  name: 'account',
  async find(db, { kind, customerId, userId }) {
    if (kind !== 'endUserAdmin' || customerId === null) return found('Suspended', 1);
    const others = otherAdministrators(sql`${customerId}`, sql`${userId}::bigint`);
    const { rows } = await sql<{ left: number }>`select ${others} as left`.execute(db);
    return [...found('Suspended', 1), ...found('LastOfCustomer', rows[0]?.left === 0 ? 1 : 0)];
  },
  async run({ trx, leaver }) {
    await switchTo(trx, leaver, false);
    return {};
  },
  async undo({ trx, leaver }) {
    await switchTo(trx, leaver, true);
  },
};

/** Ends every sign-in, also those in which the person acts for another. Nothing brings them back. */
const sessions: LeavingTask = {
  name: 'sessions',
  async find(db, { accountId }, now) {
    const { count } = await db
      .selectFrom('grants as g')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(({ or, eb }) => or([eb('g.account_id', '=', accountId ?? 0), eb('g.actor_id', '=', accountId ?? 0)]))
      .where('g.revoked', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('refresh_tokens as t')
            .select('t.hash')
            .whereRef('t.grant_id', '=', 'g.id')
            .where('t.used', 'is', null)
            .where('t.expires', '>', now),
        ),
      )
      .executeTakeFirstOrThrow();
    return found('SessionsEnd', count);
  },
  async run({ trx, leaver, now }) {
    if (leaver.accountId !== null) await endSignIns(trx, leaver.accountId, now);
    return undefined;
  },
};

type Links = {
  readonly links: readonly string[];
  readonly invitation?: { invited_by: string; sent: string; expires: string };
};

/** Withdraws an invitation that was not accepted, and every mailed link to choose a password. */
const invitation: LeavingTask = {
  name: 'invitation',
  async find(db, { accountId }) {
    const open = db
      .selectFrom('invitations')
      .select('invited_by')
      .where('account_id', '=', accountId ?? 0);
    const [sent] = await open.execute();
    return found('InvitationWithdrawn', sent ? 1 : 0, sent?.invited_by);
  },
  async run({ trx, leaver: { accountId }, now }) {
    if (accountId === null) return undefined;
    const links = await trx
      .updateTable('password_links')
      .set({ used: now })
      .where('account_id', '=', accountId)
      .where('used', 'is', null)
      .returning('hash')
      .execute();
    const open = await trx
      .deleteFrom('invitations')
      .where('account_id', '=', accountId)
      .returning(['invited_by', 'sent', 'expires'])
      .executeTakeFirst();
    return { links: links.map(({ hash }) => hash), ...(open && { invitation: open }) };
  },
  async undo({ trx, leaver: { accountId } }, kept) {
    const { links, invitation: open } = kept as Links;
    if (accountId === null) return;
    if (links.length > 0)
      await trx
        .updateTable('password_links')
        .set({ used: null })
        .where('hash', 'in', [...links])
        .execute();
    if (!open) return;
    const row = { account_id: accountId, invited_by: open.invited_by };
    await trx
      .insertInto('invitations')
      .values({ ...row, sent: new Date(open.sent), expires: new Date(open.expires) })
      .execute();
  },
};

type Taken = {
  readonly roles: readonly { readonly roleId: string; readonly until: string | null }[];
  readonly own: Rights;
  /** Of the access once it was taken. */
  readonly version: number;
};

/** Takes the roles away where that is wished; otherwise they stay, of no use to an account that is disabled. */
const roles: LeavingTask = {
  name: 'roles',
  async find(db, { accountId }) {
    const held = await db
      .selectFrom('account_roles as h')
      .innerJoin('roles as r', 'r.id', 'h.role_id')
      .select('r.name')
      .where('h.account_id', '=', accountId ?? 0)
      .orderBy('r.name')
      .execute();
    return found('Roles', held.length, held.map(({ name }) => name).join(', '));
  },
  async run({ trx, caller, leaver: { userName }, now, takesRoles }) {
    if (!takesRoles || userName === null) return undefined;
    const before = await readAccess(trx, caller, userName);
    if (before.roles.length === 0 && namesOfRights(before.own).length === 0) return undefined;
    await writeAccess(trx, { caller, userName, now }, () => ({ roles: [], own: noRights }));
    const { version } = await readAccess(trx, caller, userName);
    const given = before.roles.map(({ roleId, until }) => ({ roleId: String(roleId), until }));
    return { roles: given, own: before.own, version };
  },
  async undo({ trx, caller, leaver: { userName, name }, now }, kept) {
    const { roles: taken, own, version } = kept as Taken;
    if (userName === null) return;
    if ((await readAccess(trx, caller, userName)).version !== version)
      throw refuseConflict('AccessChanged', { Name: name });
    const today = dayOf(now);
    const lasting = taken.filter(({ until }) => until === null || until >= today);
    const ids = lasting.map(({ roleId }) => Number(roleId));
    const known = ids.length === 0 ? [] : await trx.selectFrom('roles').select('id').where('id', 'in', ids).execute();
    const there = new Set(known.map(({ id }) => String(id)));
    await writeAccess(trx, { caller, userName, now }, () => ({
      roles: lasting.filter(({ roleId }) => there.has(roleId)),
      own,
    }));
  },
};

/** Ends the keys by which programs call in the person's name. Nothing brings them back. */
const apiKeys: LeavingTask = {
  name: 'api-keys',
  async find(db, { accountId }) {
    const keys = await keysOf(db, accountId);
    return found('KeysEnd', keys.length, keys.map(({ name }) => name).join(', '));
  },
  async run({ trx, caller, leaver, now }) {
    const keys = await keysOf(trx, leaver.accountId);
    await revokeKeys(
      trx,
      caller,
      keys.map(({ id }) => id),
      now,
    );
    return undefined;
  },
};

const keysOf = (db: Database, accountId: number | null) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('account_id', '=', accountId ?? 0)
    .orderBy('name')
    .execute();

/** Says what they hold and keep: services, and a mailbox. */
const holdings: LeavingTask = {
  name: 'holdings',
  async find(db, { userId }) {
    if (userId === null) return [];
    const { rows } = await sql<{ services: number; mailbox: string | null }>`
      select ${addressOfUser(sql`users.id`)} as mailbox, ${countOfServices()} as services from users where id = ${userId}`.execute(
      db,
    );
    const [held] = rows;
    return [
      ...found('ServicesKept', held?.services ?? 0),
      ...found('MailboxKept', held?.mailbox ? 1 : 0, held?.mailbox ?? ''),
    ];
  },
};

/** The tasks of leaving, in the order in which they are done. An area adds its own here. */
export const leavingTasks: readonly LeavingTask[] = [account, sessions, apiKeys, invitation, roles, holdings];
