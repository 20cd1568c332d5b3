import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { putMail } from '../outbox/mail.ts';
import type { Database, Write } from '../tables.ts';
import type { UserType } from './words.ts';

/** Minutes that a link is good for. */
const lifetime = 60;
/** So many links go out to one account in a quarter of an hour: nobody's mailbox is filled by strangers. */
const mostLinks = 3;
const minute = 60_000;

/** A GUID of 122 random bits is what the mail holds; the database has only its hash. */
const hashOf = (key: string): string => createHash('sha256').update(`password link ${key}`).digest('base64url');

/**
 * Mails a link to change the password to every enabled account that has this user name or email address and a password
 * of its own, within a limit per account. The caller learns nothing about whether there was such an account.
 * @param portal address of the portal, without a slash at its end
 */
export async function sendLinks(db: Database, userName: string, portal: string, now: Date): Promise<void> {
  const name = userName.trim().toLowerCase();
  await db.transaction().execute(async trx => {
    const accounts = await trx
      .selectFrom('accounts')
      .select(['id', 'username', 'email', 'display_name', 'user_type'])
      .where(where => where.or([where(sql`lower(username)`, '=', name), where(sql`lower(email)`, '=', name)]))
      .where('enabled', '=', true)
      .where('login_flow', '=', 'Legacy')
      // Whoever was invited has the link of the invitation, which ends.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('invitations').select('account_id').whereRef('account_id', '=', 'accounts.id'))),
      )
      // Two requests at the same time count one after the other.
      .forUpdate()
      .execute();
    for (const { id, username, email, display_name, user_type } of accounts) {
      if (!(await hasRoomForLink(trx, id, now))) continue;
      await mailLink(trx, { id, username, email, display_name }, user_type, portal, now);
    }
  });
}

type Owner = { readonly id: number; readonly username: string; readonly email: string; readonly display_name: string };

/** Mails the owner of an account a link to choose a new password. `portal`: without a slash at its end. */
export async function mailLink(trx: Write, account: Owner, userType: UserType, portal: string, now: Date) {
  const { id, username, email, display_name } = account;
  const key = await makeLink(trx, id, now, new Date(now.getTime() + lifetime * minute));
  const path = ['change-password', userType, username, key].map(encodeURIComponent).join('/');
  const body = [
    `Hello ${display_name},`,
    `somebody, most likely you or your administrator, asked for a new password for ${username}. Choose it here:`,
    `${portal}/${path}`,
    `The link works once, for ${lifetime} minutes. If it was not you, do nothing: nobody else can use it.`,
  ].join('\n\n');
  await putMail(trx, { recipient: email, subject: 'Choose a new password', body }, now);
}

/** Makes a link with which an account chooses a password, once, until it expires. Gives its key, which is stored nowhere. */
export async function makeLink(trx: Write, account_id: number, created: Date, expires: Date): Promise<string> {
  const key = randomUUID();
  await trx
    .insertInto('password_links')
    .values({ hash: hashOf(key), account_id, created, expires, used: null })
    .execute();
  return key;
}

/** False where so many links went out to an account just now that another must wait. */
export async function hasRoomForLink(trx: Write, account: number, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - 15 * minute);
  const { count } = await trx
    .selectFrom('password_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', account)
    .where('created', '>', since)
    .executeTakeFirstOrThrow();
  return count < mostLinks;
}

/** True when the link with this key belongs to the account, is unused and has not expired. Leaves it unused. */
export async function isLink(db: Database, account: number, key: string, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('password_links')
    .select('hash')
    .where('hash', '=', hashOf(key))
    .where('account_id', '=', account)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

/** Uses up a link; false when it is not valid any more. Of several uses at once one succeeds. */
export async function takeLink(trx: Write, account: number, key: string, now: Date): Promise<boolean> {
  const taken = await trx
    .updateTable('password_links')
    .set({ used: now })
    .where('hash', '=', hashOf(key))
    .where('account_id', '=', account)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .returning('hash')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Makes every unused link of an account invalid, as after a change of its password. */
export async function endLinks(trx: Write, account: number, now: Date): Promise<void> {
  await trx
    .updateTable('password_links')
    .set({ used: now })
    .where('account_id', '=', account)
    .where('used', 'is', null)
    .execute();
}
