import type { Caller } from '../auth/caller.ts';
import { refuseConflict } from '../http/refusals.ts';
import { sendHintToAccounts } from '../notifications/hints.ts';
import { notify } from '../notifications/store.ts';
import type { Category } from '../notifications/tables.ts';
import { recordAccess } from '../roles/activity.ts';
import { namesOfRights, readRights } from '../roles/rights.ts';
import type { Database, Write } from '../tables.ts';
import type { RequestState } from './tables.ts';

/** A request, and the account that asks. */
export type AccessRequest = {
  readonly id: number;
  readonly account_id: number;
  readonly reseller_id: number;
  readonly title: string;
  readonly address: string;
  readonly rights: string[];
  readonly display_name: string;
  readonly customer_id: string | null;
  readonly user_id: number | null;
};

export const withAsker = (db: Database) =>
  db
    .selectFrom('access_requests as q')
    .innerJoin('accounts as a', 'a.id', 'q.account_id')
    .select(['q.id', 'q.account_id', 'q.reseller_id', 'q.title', 'q.address', 'q.rights'])
    .select(['a.display_name', 'a.customer_id', 'a.user_id']);

/** Names of rights as people read them: "manageUsers" → "manage users". */
export const needsInWords = (rights: readonly string[]): string =>
  rights.map(name => name.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)).join(', ');

export type Note = { readonly message: string; readonly content: string; readonly category: Category };

/** Notifies accounts about a request, and hints to their browsers. */
export async function notifyOfRequest(
  trx: Write,
  accounts: readonly number[],
  requestId: number,
  note: Note,
  now: Date,
): Promise<void> {
  await notify(trx, accounts, { ...note, service_name: 'Access', request_id: requestId }, now);
}

type Ending = {
  readonly state: Exclude<RequestState, 'Open'>;
  readonly by?: Caller;
  readonly answer?: string;
  readonly now: Date;
};

const endings: Readonly<Record<Ending['state'], { readonly action: string; readonly category: Category }>> = {
  Granted: { action: 'Access given', category: 'success' },
  Refused: { action: 'Access refused', category: 'warning' },
  Withdrawn: { action: 'Access request withdrawn', category: 'info' },
  Expired: { action: 'Access request expired', category: 'info' },
};

/** Writes the notification for the asker; none where they withdrew the request themselves. */
function noteOf({ title }: AccessRequest, { state, by, answer = '' }: Ending): Note | undefined {
  const { category } = endings[state];
  const name = by?.displayName ?? 'The administrator';
  switch (state) {
    case 'Granted':
      return { message: `You have “${title}” now`, content: `${name} gave you what you asked for.`, category };
    case 'Refused':
      return { message: `“${title}” was refused`, content: answer || `${name} refused what you asked for.`, category };
    case 'Expired':
      return { message: `Nobody answered about “${title}”`, content: 'You can ask again.', category };
    case 'Withdrawn':
      return undefined;
  }
}

/**
 * Ends an open request; the asker is told, and those who were told of it have nothing new any more.
 * @throws {CloudError} 409 for one that has ended meanwhile
 */
export async function endRequest(trx: Write, request: AccessRequest, ending: Ending): Promise<void> {
  const { state, by, answer = '', now } = ending;
  const ended = await trx
    .updateTable('access_requests')
    .set({ state, answer, ended: now, ended_by: by?.displayName ?? '' })
    .where('id', '=', request.id)
    .where('state', '=', 'Open')
    .executeTakeFirst();
  if (ended.numUpdatedRows === 0n) throw refuseConflict('AccessRequestEnded');
  const told = await trx
    .updateTable('notifications')
    .set({ status: 'read' })
    .where('request_id', '=', request.id)
    .where('status', '=', 'new')
    .returning('account_id')
    .execute();
  const accounts = told.map(({ account_id }) => account_id);
  await sendHintToAccounts(trx, accounts, { kind: 'notification' });
  const note = noteOf(request, ending);
  if (note) await notifyOfRequest(trx, [request.account_id], request.id, note, now);
  const { action } = endings[state];
  const detail = [request.title, answer].filter(Boolean).join(': ');
  await recordAccess(
    trx,
    { resellerId: request.reseller_id, ...(by && { caller: by }), now },
    { action, target: request.display_name, detail },
    request,
  );
}

/** Ends, as granted, the open requests of these accounts whose rights they hold by now, whoever gave them and how. */
export async function endMetRequests(
  trx: Write,
  accountIds: readonly number[],
  ending: { readonly by?: Caller; readonly now: Date },
): Promise<void> {
  if (accountIds.length === 0) return;
  const open = await withAsker(trx)
    .where('q.account_id', 'in', [...accountIds])
    .where('q.state', '=', 'Open')
    .execute();
  for (const request of open) {
    const held = new Set(namesOfRights(await readRights(trx, request.account_id)));
    if (request.rights.every(name => held.has(name))) await endRequest(trx, request, { ...ending, state: 'Granted' });
  }
}
