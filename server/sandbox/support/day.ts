import { type Day, timeOf } from '../days.ts';
import type { Write } from '../tables.ts';
import { answerTicket } from './change.ts';
import { isOpenAt, supportHours } from './hours.ts';

const answers = [
  'We have looked into it and put it right. Please say whether it works for you.',
  'This is known and will be mended this week. We write here once it is.',
  'The settings were changed on our side. Please sign out and in again.',
];

/** Answers, on a day on which support is there, the seeded tickets that wait for it. */
export async function answerSeededTickets(trx: Write, day: Day): Promise<void> {
  const now = timeOf(day, 11);
  if (!isOpenAt(now, supportHours)) return;
  const waiting = await trx
    .selectFrom('tickets')
    .selectAll()
    .where('is_simulated', '=', true)
    .where('status', '=', 'Open')
    .where('updated', '<', now)
    .orderBy('id')
    .limit(100)
    .forUpdate()
    .execute();
  for (const ticket of waiting)
    await answerTicket({ trx, now }, ticket, answers[ticket.id % answers.length]!, 'Answer');
}
