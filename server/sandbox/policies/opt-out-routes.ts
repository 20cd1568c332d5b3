import { anyone } from '../auth/needs.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

const optOuts = object({ Newsletter: boolean, Offers: boolean, Surveys: boolean, UsageFigures: boolean });
const none = { Newsletter: false, Offers: false, Surveys: false, UsageFigures: false };
const tags = ['policies'];
const config = { needs: anyone };

/** Adds the routes that read and change the caller's opt-outs (document 1, section 7: footer opt-outs get and put). */
export function addOptOutRoutes(app: App, { db }: Parts): void {
  app.get('/api/footer/opt-outs', { config, schema: { tags, response: replies(optOuts) } }, async ({ signedIn }) => {
    const found = await db
      .selectFrom('opt_outs')
      .select(['newsletter as Newsletter', 'offers as Offers', 'surveys as Surveys', 'usage_figures as UsageFigures'])
      .where('account_id', '=', signedIn.accountId)
      .executeTakeFirst();
    return succeed(found ?? none);
  });

  app.put(
    '/api/footer/opt-outs',
    { config, schema: { tags, body: optOuts, response: replies() } },
    async ({ signedIn, body: { Newsletter, Offers, Surveys, UsageFigures } }) => {
      const row = { newsletter: Newsletter, offers: Offers, surveys: Surveys, usage_figures: UsageFigures };
      await db
        .insertInto('opt_outs')
        .values({ account_id: signedIn.accountId, ...row })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
        .execute();
      return done('Your choices are saved.');
    },
  );
}
