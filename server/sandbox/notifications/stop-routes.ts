import { replies, succeed } from '../http/reply.ts';
import { type App, boolean, object, openToAll, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { readStopToken, resumeMails, stopMails, stoppableKinds } from './stop-links.ts';

const asked = object({ Token: text(100), Undo: boolean });
const outcome = object({
  Outcome: { ...string, enum: ['Stopped', 'Resumed', 'Kept'] },
  Kind: { ...string, enum: stoppableKinds },
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
      const stopped = readStopToken(secret, Token);
      if (!stopped) return { Succeed: false, Error: 'LinkInvalid', Messages: ['This link is not valid any more.'] };
      const { kind: Kind } = stopped;
      if (Undo) return succeed({ Outcome: (await resumeMails(db, stopped)) ? 'Resumed' : 'Kept', Kind });
      await stopMails(db, stopped, now());
      return succeed({ Outcome: 'Stopped', Kind });
    },
  );
}
