import { sql } from 'kysely';
import type { Work } from '../every.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import type { Write } from '../tables.ts';
import { dayOf } from './account-access.ts';
import { recordAccess } from './activity.ts';
import { holdReseller } from './change.ts';
import { settleRights } from './rights.ts';

/** Takes away the roles and single rights whose last day (UTC) is over, an account at a time. */
export function createExpiry({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  const due = (today: string) =>
    db
      .selectFrom('accounts as a')
      .select(['a.id', 'a.reseller_id', 'a.display_name', 'a.customer_id', 'a.user_id'])
      .where(
        sql<boolean>`a.id in (
          select account_id from account_roles where until < ${today}
          union select account_id from account_right_ends where until < ${today})`,
      )
      .orderBy('a.id')
      .execute();

  return {
    async run() {
      const today = dayOf(now());
      for (const account of await due(today))
        await db.transaction().execute(async trx => {
          await holdReseller(trx, account.reseller_id);
          const roles = await takeRoles(trx, account.id, today);
          const rights = await takeRights(trx, account.id, today);
          await settleRights(trx, [account.id]);
          const about = { resellerId: account.reseller_id, now: now() };
          const tell = (action: string, name: string, over: readonly string[]) =>
            recordAccess(
              trx,
              about,
              {
                ...{ action, target: account.display_name },
                ...{ before: { [name]: [...over].sort().join(', ') }, after: { [name]: 'None' } },
              },
              account,
            );
          if (roles.length > 0) await tell('Role ended', 'Roles', roles);
          if (rights.length > 0) await tell('Right ended', 'Rights', rights);
          await sendHint(trx, { account: account.id }, { kind: 'permissions-changed' });
        });
    },
  };
}

/** Takes away the roles of an account that are over; gives their names. */
async function takeRoles(trx: Write, accountId: number, today: string): Promise<string[]> {
  const over = await trx
    .deleteFrom('account_roles as h')
    .using('roles as r')
    .whereRef('r.id', '=', 'h.role_id')
    .where('h.account_id', '=', accountId)
    .where(sql<boolean>`h.until < ${today}`)
    .returning('r.name')
    .execute();
  return over.map(({ name }) => name);
}

/** Takes away the single rights of an account that are over; gives their names. */
async function takeRights(trx: Write, accountId: number, today: string): Promise<string[]> {
  const ended = await trx
    .deleteFrom('account_right_ends')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`until < ${today}`)
    .returning('right_name')
    .execute();
  const over = ended.map(({ right_name }) => right_name);
  await sql`
    update account_permissions set
      own_views = array(select word from unnest(own_views) word where word <> all(${over}::text[])),
      own_permissions = array(select word from unnest(own_permissions) word where word <> all(${over}::text[])),
      own_prices = own_prices and 'prices' <> all(${over}::text[])
    where account_id = ${accountId}`.execute(trx);
  return over;
}
