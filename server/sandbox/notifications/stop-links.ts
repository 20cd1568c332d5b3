import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '../tables.ts';
import type { Category } from './tables.ts';

/** The mails that a link stops: those about a category, the digest of all, or those about the network. */
export type Stoppable = { readonly accountId: number; readonly kind: Category | 'digest' | 'network' };

export const stoppableKinds = [
  'info',
  'success',
  'warning',
  'danger',
  'digest',
  'network',
] as const satisfies Stoppable['kind'][];

/** The name keeps the signature apart from those of access tokens, which are made with the same secret. */
const sign = (secret: string, content: string): string =>
  createHmac('sha256', secret).update(`stop-mails ${content}`).digest('base64url');

/**
 * Writes the token of a link that stops mails (RFC 8058): it names what it stops and is signed, so that nobody is needed
 * to sign in and nothing is kept. It never ends, since the mail that has it does not.
 */
export function writeStopToken(secret: string, { accountId, kind }: Stoppable): string {
  const content = `${accountId}.${kind}`;
  return `${content}.${sign(secret, content)}`;
}

/** Reads a token of `writeStopToken`; undefined for any other text. */
export function readStopToken(secret: string, token: string): Stoppable | undefined {
  const [, content = '', id = '', kind = '', signature = ''] =
    /^((\d{1,15})\.([a-z]{4,7}))\.([\w-]{43})$/.exec(token) ?? [];
  const known = stoppableKinds.find(one => one === kind);
  if (known === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(sign(secret, content)), Buffer.from(signature))) return undefined;
  return { accountId: Number(id), kind: known };
}

async function stopNetworkMails(db: Database, accountId: number, now: Date): Promise<void> {
  await db
    .updateTable('network_subscribers')
    .set({ stopped: now })
    .where('account_id', '=', accountId)
    .where('stopped', 'is', null)
    .execute();
}

async function resumeNetworkMails(db: Database, accountId: number): Promise<boolean> {
  const resumed = await db
    .updateTable('network_subscribers')
    .set({ stopped: null })
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst();
  return resumed !== undefined;
}

const columnsOf = (kind: Stoppable['kind']) =>
  kind === 'digest' ? (['digest', 'digest_stopped'] as const) : (['mail', 'mail_stopped'] as const);

/** Stops mails. Done twice it changes nothing more. */
export async function stopMails(db: Database, stoppable: Stoppable, now: Date): Promise<void> {
  const { accountId, kind } = stoppable;
  if (kind === 'network') return await stopNetworkMails(db, accountId, now);
  const [way, stopped] = columnsOf(kind);
  await db
    .updateTable('notification_ways')
    .set({ [way]: false, [stopped]: now })
    .where('account_id', '=', accountId)
    .where(way, '=', true)
    .$if(kind !== 'digest', query => query.where('category', '=', kind as Category))
    .execute();
}

/**
 * Takes back what a link stopped, and nothing that was chosen since. Gives whether such mails come now: false where the
 * account chose otherwise after it was stopped.
 */
export async function resumeMails(db: Database, stoppable: Stoppable): Promise<boolean> {
  const { accountId, kind } = stoppable;
  if (kind === 'network') return await resumeNetworkMails(db, accountId);
  const [way, stopped] = columnsOf(kind);
  await db
    .updateTable('notification_ways')
    .set({ [way]: true, [stopped]: null })
    .where('account_id', '=', accountId)
    .where(stopped, 'is not', null)
    .$if(kind !== 'digest', query => query.where('category', '=', kind as Category))
    .execute();
  const coming = await db
    .selectFrom('notification_ways')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where(way, '=', true)
    .$if(kind !== 'digest', query => query.where('category', '=', kind as Category))
    .executeTakeFirst();
  return coming !== undefined;
}
