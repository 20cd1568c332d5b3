import { sql } from 'kysely';
import { inPerson } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, partial } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { type Feature, features, verdicts } from './tables.ts';

/** Minutes after which somebody is asked about what they did, so that they are never asked while they do it. */
const minutesAfter = 10;
/** Days for which what somebody did can be asked about, and for which nobody is asked a second time. */
const quietDays = 30;
/** So many articles somebody has opened who is asked about them. */
const articlesOpened = 3;

const longest = 2000;
const feature = { type: 'string', enum: features } as const;

/** The feature that an account is to rate now; undefined: none. */
async function requiredOf(db: Database, accountId: number, now: Date): Promise<Feature | undefined> {
  const over = new Date(now.getTime() - minutesAfter * 60_000);
  const first = new Date(now.getTime() - quietDays * 86_400_000);
  const { rows } = await sql<{ readonly id: Feature }>`
    select f.id from rating_features f
    where not exists (select from ratings r
        where r.account_id = ${accountId} and (r.feature_id = f.id or r.at > ${first}))
      and case f.id
        when 'Tickets' then exists (select from tickets t
          where t.account_id = ${accountId} and t.closed > greatest(f.since, ${first}) and t.closed < ${over})
        when 'KnowledgeBase' then (select count(*) >= ${articlesOpened} and max(o.opened) < ${over} from kb_openings o
          where o.account_id = ${accountId} and o.opened > greatest(f.since, ${first}))
        else false end
    order by f.id limit 1`.execute(db);
  return rows[0]?.id;
}

/**
 * Adds the routes of ratings (document 2, section 7): which one the caller is asked for now, and save one. Whoever has
 * had a ticket closed, or has read articles, is asked once a while later, and about nothing else for a month.
 */
export function addRatingRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['rating'], needs: inPerson });

  route(
    'GET /api/rating/required',
    {
      summary: 'What the caller is asked to rate; without a FeatureId nothing.',
      reply: partial({ FeatureId: feature }),
    },
    async ({ caller }) => {
      const FeatureId = await requiredOf(db, caller.accountId, now());
      return { ...(FeatureId && { FeatureId }) };
    },
  );

  route(
    'POST /api/rating',
    {
      summary: 'Saves a rating; without one, that the question was closed. A rating stays when the question is closed.',
      body: partial(
        {
          FeatureId: feature,
          Rating: { type: 'string', enum: verdicts },
          Comments: { type: 'string', maxLength: longest },
        },
        'FeatureId',
      ),
    },
    async ({ caller, body: { FeatureId, Rating = null, Comments = '' } }) => {
      const said = { rating: Rating, comments: Rating === null ? '' : Comments, at: now() };
      await db
        .insertInto('ratings')
        .values({ account_id: caller.accountId, feature_id: FeatureId, ...said })
        .onConflict(known =>
          known
            .columns(['account_id', 'feature_id'])
            .doUpdateSet(said)
            .where(sql<boolean>`ratings.rating is null or excluded.rating is not null`),
        )
        .execute();
    },
  );
}
