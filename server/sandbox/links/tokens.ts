import { createHash, randomBytes } from 'node:crypto';
import type { Database, Write } from '../tables.ts';
import type { LinkPurpose } from './tables.ts';

/** What a link does, to what, for whom. */
export type Link = { readonly purpose: LinkPurpose; readonly subject: number; readonly user: number };

/** Milliseconds that a link is good for. */
export const linkLife = 30 * 86_400_000;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Creates a link's one-time token of 256 random bits. Stores its hash alone. */
export async function issueToken(trx: Write, { purpose, subject, user }: Link, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + linkLife);
  await trx
    .insertInto('link_tokens')
    .values({ hash: hashOf(token), purpose, subject_id: subject, user_id: user, expires })
    .execute();
  return token;
}

export type Used = {
  readonly subject: number;
  readonly at: Date;
  /** True when an earlier request used it. */
  readonly already: boolean;
};

/**
 * Uses up a link's token; of several uses at once one is the first. Undefined for a token that is unknown, expired, for
 * another purpose or of another user, after the same two queries in each case.
 */
export async function takeToken(
  db: Database,
  token: string,
  purpose: LinkPurpose,
  now: Date,
  user?: number,
): Promise<Used | undefined> {
  const hash = hashOf(token);
  const taken = await db
    .updateTable('link_tokens')
    .set({ used: now })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .$if(user !== undefined, query => query.where('user_id', '=', user as number))
    .where('used', 'is', null)
    .where('expires', '>', now)
    .returning('subject_id')
    .executeTakeFirst();
  if (taken) return { subject: taken.subject_id, at: now, already: false };
  const earlier = await db
    .selectFrom('link_tokens')
    .select(['subject_id', 'used'])
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .$if(user !== undefined, query => query.where('user_id', '=', user as number))
    .executeTakeFirst();
  return earlier?.used ? { subject: earlier.subject_id, at: earlier.used, already: true } : undefined;
}
