import { footOf, tellPage } from '../notifications/digest.ts';
import { putMail } from '../outbox/mail.ts';
import type { Write } from '../tables.ts';
import type { EventKind } from './tables.ts';
import { hintNetwork } from './turns.ts';

export type Announced = {
  readonly component: string;
  readonly kind: EventKind;
  readonly title: string;
  readonly content: string;
  readonly starts: Date;
  readonly ends: Date | null;
};

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** Mails those who asked for it. */
async function mailSubscribers(trx: Write, subject: string, text: string, now: Date): Promise<void> {
  const people = await trx
    .selectFrom('network_subscribers as s')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['a.id', 'a.email', 'a.display_name as name'])
    .where('s.stopped', 'is', null)
    .where('a.enabled', '=', true)
    .orderBy('a.id')
    .execute();
  const page = await tellPage(trx, '/support/network-status');
  for (const { id, email, name } of people) {
    const { foot, unsubscribe } = await footOf(trx, { accountId: id, kind: 'network' });
    const body = [`Hello ${name},`, text, `See the network status${page}`, foot].join('\n\n');
    await putMail(trx, { recipient: email, subject, body, ...(unsubscribe && { unsubscribe }) }, now);
  }
}

const nameOf = async (trx: Write, component: string): Promise<string> =>
  (await trx.selectFrom('network_components').select('name').where('id', '=', component).executeTakeFirstOrThrow())
    .name;

/** Announces an incident or a maintenance of a component, and mails those who asked for it. @returns its id */
export async function announce(trx: Write, announced: Announced, now: Date): Promise<number> {
  const { component, kind, title, content, starts, ends } = announced;
  const { id } = await trx
    .insertInto('network_events')
    .values({ component_id: component, kind, title, content, starts, ends, updated: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await hintNetwork(trx);
  const until = ends ? ` to ${moment.format(ends)} UTC` : '';
  const when = kind === 'Maintenance' ? `${moment.format(starts)} UTC${until}.` : `Since ${moment.format(starts)} UTC.`;
  const subject = `${await nameOf(trx, component)}: ${title}`;
  await mailSubscribers(trx, subject, [title, content, when].filter(Boolean).join('\n'), now);
  return id;
}

/** Ends what disturbs a component, and mails those who asked for it. Done twice it changes nothing more. */
export async function endEvent(trx: Write, id: number, now: Date): Promise<void> {
  const ended = await trx
    .updateTable('network_events')
    .set({ is_over: true, ends: now, updated: now })
    .where('id', '=', id)
    .where('is_over', '=', false)
    .returning(['component_id', 'title'])
    .executeTakeFirst();
  if (!ended) return;
  await hintNetwork(trx);
  const subject = `Over: ${await nameOf(trx, ended.component_id)}: ${ended.title}`;
  await mailSubscribers(trx, subject, `This is over since ${moment.format(now)} UTC.`, now);
}
