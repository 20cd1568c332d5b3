import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';

/** Milliseconds after which a link is revoked (document 2, section 7). */
const life = 1000;

/** Links of one account that are good at the same time: more can only be asked for by a programme. */
const mostLinks = 20;

const hashOf = (guid: string): string => createHash('sha256').update(guid).digest('base64url');

/** Makes a link to a file for the caller. Only its hash is kept, and of the account's older ones the newest. */
export async function makeLink(db: Database, { accountId }: Caller, download: string, now: Date): Promise<string> {
  const guid = randomUUID();
  await db
    .deleteFrom('file_links')
    .where('account_id', '=', accountId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('expires', '<=', now),
        eb(
          'hash',
          'in',
          selectFrom('file_links as l')
            .select('l.hash')
            .where('l.account_id', '=', accountId)
            .orderBy('l.expires', 'desc')
            .offset(mostLinks - 1),
        ),
      ]),
    )
    .execute();
  const expires = new Date(now.getTime() + life);
  await db
    .insertInto('file_links')
    .values({ hash: hashOf(guid), download_id: download, account_id: accountId, expires })
    .execute();
  return guid;
}

/** Uses a link up, and gives the file that it leads to; undefined where the caller has no such link any more. */
export async function takeLink(
  db: Database,
  { accountId }: Caller,
  guid: string,
  now: Date,
): Promise<string | undefined> {
  const taken = await db
    .deleteFrom('file_links')
    .where('hash', '=', hashOf(guid))
    .where('account_id', '=', accountId)
    .returning(['download_id', 'expires'])
    .executeTakeFirst();
  return taken && taken.expires > now ? taken.download_id : undefined;
}
