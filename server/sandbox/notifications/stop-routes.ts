import { replies, succeed } from '../http/reply.ts';
import { type App, boolean, object, openToAll, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { readStopToken, resumeMails, stopMails } from './stop-links.ts';

const asked = object({ Token: text(100), Undo: boolean });
const outcome = object({
  Outcome: { ...string, enum: ['Stopped', 'Resumed', 'Kept'] },
  Kind: { ...string, enum: ['info', 'success', 'warning', 'danger', 'digest'] },
});

/**
 * Adds the route behind the links that stop mails about notifications, and that undo it. It needs no bearer: the signed
 * token of the link is the proof, and only says what is mailed to its own account.
 */
export function addStopRoutes(app: App, { db, secret, now }: Parts): void {
  app.post(
    '/api/public/notification-stops',
    { schema: { tags: ['public links'], description: openToAll, body: asked, response: replies(outcome) } },
    async ({ body: { Token, Undo } }) => {
      const stoppable = readStopToken(secret, Token);
      if (!stoppable) return { Succeed: false, Error: 'LinkInvalid', Messages: ['This link is not valid any more.'] };
      const { kind: Kind } = stoppable;
      if (Undo) return succeed({ Outcome: (await resumeMails(db, stoppable)) ? 'Resumed' : 'Kept', Kind });
      await stopMails(db, stoppable, now());
      return succeed({ Outcome: 'Stopped', Kind });
    },
  );
}
