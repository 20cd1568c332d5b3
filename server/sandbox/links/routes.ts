import { replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, object, openToAll, text } from '../http/schema.ts';
import { putMail } from '../outbox/mail.ts';
import type { Parts } from '../parts.ts';
import { takeToken, type Used } from './tokens.ts';

const tags = ['public links'];
const outcome = object({ At: date, Already: boolean });

/** One refusal for every link that does not work, whatever is wrong with it. */
const refusal = { Succeed: false, Error: 'LinkInvalid', Messages: ['This link is not valid any more.'] };
const answer = (used: Used | undefined) => (used ? succeed({ At: used.at, Already: used.already }) : refusal);
const response = replies(outcome);

/**
 * Adds the routes behind links in mails (document 1, section 7: GET spam-release, GET email-archive-access
 * verification). They need no bearer: the link's token is the proof. The portal calls them only when its page is
 * pressed, never when a mail program reads the link.
 */
export function addLinkRoutes(app: App, { db, now }: Parts): void {
  app.get(
    '/api/public/spam-release',
    {
      schema: {
        tags,
        description: openToAll,
        querystring: object({ messageGuid: text(100), userId: text(20) }),
        response,
      },
    },
    async ({ query: { messageGuid, userId } }) =>
      answer(await release(messageGuid, /^\d{1,15}$/.test(userId) ? Number(userId) : 0)),
  );

  app.get(
    '/api/public/email-archive-access',
    {
      schema: {
        tags,
        description: openToAll,
        querystring: object({ accessType: text(20), token: text(100) }),
        response,
      },
    },
    async ({ query: { accessType, token } }) => answer(await verify(accessType, token)),
  );

  /** The mail leaves the quarantine with the use of its token, or neither happens. */
  function release(token: string, user: number): Promise<Used | undefined> {
    return db.transaction().execute(async trx => {
      const used = await takeToken(trx, token, 'spam-release', now(), user);
      if (!used || used.already) return used;
      const mail = await trx
        .updateTable('quarantined_mails')
        .set({ released: used.at })
        .where('id', '=', used.subject)
        .returning(['sender', 'subject', 'user_id'])
        .executeTakeFirstOrThrow();
      const { email } = await trx
        .selectFrom('users')
        .select('email')
        .where('id', '=', mail.user_id)
        .executeTakeFirstOrThrow();
      const body = `Released from quarantine at your request.\n\nFrom: ${mail.sender}`;
      await putMail(trx, { recipient: email, subject: mail.subject, body }, used.at);
      return used;
    });
  }

  function verify(accessType: string, token: string): Promise<Used | undefined> {
    return db.transaction().execute(async trx => {
      const purpose = accessType === 'export' ? 'archive-export' : 'archive-search';
      const used = await takeToken(trx, ['search', 'export'].includes(accessType) ? token : '', purpose, now());
      if (used && !used.already)
        await trx.updateTable('archive_requests').set({ verified: used.at }).where('id', '=', used.subject).execute();
      return used;
    });
  }
}
