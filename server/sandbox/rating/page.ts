import { escapeHtml } from '../http/escape-html.ts';
import { drawFacts, drawPage, guardPage, pageHeaders } from '../http/own-page.ts';
import type { App } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

/** Comments that the page shows, the newest first. */
const mostComments = 200;

/** Adds the page of what people said of each feature, to requests from this machine. */
export function addRatingsPage(app: App, { db }: Parts): void {
  app.get('/ratings', { schema: { hide: true }, onRequest: guardPage }, async (_request, reply) => {
    const sums = await db
      .selectFrom('ratings')
      .select(({ fn, eb }) => [
        'feature_id as feature',
        fn.countAll<number>().as('asked'),
        fn.count<number>('rating').filterWhere('rating', '=', 'Up').as('up'),
        fn.count<number>(eb.ref('rating')).filterWhere('rating', '=', 'Down').as('down'),
      ])
      .groupBy('feature_id')
      .orderBy('feature_id')
      .execute();
    const comments = await db
      .selectFrom('ratings')
      .select(['feature_id', 'rating', 'comments', 'at'])
      .where('comments', '<>', '')
      .orderBy('at', 'desc')
      .limit(mostComments)
      .execute();
    const facts = drawFacts(
      sums.map(({ feature, asked, up, down }) => [
        feature,
        `${up} up, ${down} down, ${Number(asked) - Number(up) - Number(down)} closed`,
      ]),
    );
    const said = comments.map(
      ({ feature_id, rating, comments: words, at }) =>
        `<article><h2>${feature_id}: ${rating ?? ''}, ${at.toISOString().slice(0, 10)}</h2><p>${escapeHtml(words)}</p></article>`,
    );
    reply.headers(pageHeaders);
    return drawPage(
      'Ratings',
      sums.length === 0 ? '<p>Nobody has been asked yet.</p>' : `<article>${facts}</article>${said.join('')}`,
    );
  });
}
