import { anyone } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

const optOuts = object({ Newsletter: boolean, Offers: boolean, Surveys: boolean, UsageFigures: boolean });
const none = { Newsletter: false, Offers: false, Surveys: false, UsageFigures: false };

/** Adds the routes that read and change the caller's opt-outs (document 1, section 7: footer opt-outs get and put). */
export function addOptOutRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['policies'], needs: anyone });

  route('GET /api/footer/opt-outs', { reply: optOuts }, async ({ caller }) => {
    const found = await db
      .selectFrom('opt_outs')
      .select(['newsletter as Newsletter', 'offers as Offers', 'surveys as Surveys', 'usage_figures as UsageFigures'])
      .where('account_id', '=', caller.accountId)
      .executeTakeFirst();
    return found ?? none;
  });

  route(
    'PUT /api/footer/opt-outs',
    { body: optOuts },
    async ({ caller, body: { Newsletter, Offers, Surveys, UsageFigures } }) => {
      const row = { newsletter: Newsletter, offers: Offers, surveys: Surveys, usage_figures: UsageFigures };
      await db
        .insertInto('opt_outs')
        .values({ account_id: caller.accountId, ...row })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
        .execute();
      return 'Your choices are saved.';
    },
  );
}
