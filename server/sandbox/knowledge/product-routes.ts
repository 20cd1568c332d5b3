import { sql } from 'kysely';
import { anyone, readsServices } from '../auth/needs.ts';
import { visibleCustomer } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, described, list, object, orNull, string } from '../http/schema.ts';
import { productAt } from '../marketplace/products.ts';
import { orderSchema, readOrder } from '../orders/read.ts';
import type { Parts } from '../parts.ts';
import { listPage } from '../resource/list-page.ts';
import { article, articles, foundArticles, query } from './article-fields.ts';
import { isFor, searchArticles, sideOf } from './search.ts';

const messageLabs = { key: '16-1', serviceId: 16 };
const ofMessageLabs = sql<boolean>`a.path in (
  select article_path from related_links where product = ${sql.lit(messageLabs.key)})`;

const relatedLink = object({
  Title: string,
  Category: described(orNull(string), 'Of an article of the knowledge base.'),
  Name: described(orNull(string), 'Of an article of the knowledge base.'),
  Url: described(orNull(string), 'Of a page elsewhere.'),
});
type RelatedLink = {
  readonly Title: string;
  readonly Category: string | null;
  readonly Name: string | null;
  readonly Url: string | null;
};

/** Adds the related links of products and the articles and orders of MessageLabs (document 2, section 7). */
export function addProductRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['knowledge base'], needs: anyone });

  route(
    'GET /api/relatedlinks/:serviceId-:subId',
    {
      summary: 'Links to read with a product ("16-1"), of articles only those for the caller.',
      reply: object({ Items: list(relatedLink) }),
    },
    async ({ caller, params }) => {
      const { key, hiddenAtUserLevel } = await productAt(db, caller, params);
      if (hiddenAtUserLevel && sideOf(caller) === 'mailbox') throw notFound();
      const { rows: Items } = await sql<RelatedLink>`
        select coalesce(l.title, a.title) as "Title", l.url as "Url", a.category as "Category",
          split_part(a.path, '/', 2) as "Name"
        from related_links l left join kb_articles a on a.path = l.article_path
        where l.product = ${key} and (l.url is not null or ${isFor(caller)}) order by l.position`.execute(db);
      return { Items };
    },
  );

  route(
    'GET /api/messagelabs/articles',
    { summary: 'Articles about MessageLabs by title.', query: query({}), reply: articles },
    ({ caller, query }) =>
      listPage(db, query, {
        fields: article,
        from: sql`kb_articles a`,
        where: sql`${ofMessageLabs} and ${isFor(caller)}`,
        order: sql`a.title, a.id`,
      }),
  );

  route(
    'GET /api/messagelabs/searchArticles/:term',
    {
      summary: 'Articles about MessageLabs that have these words, best first.',
      query: query({}),
      reply: foundArticles,
    },
    ({ caller, params: { term }, query }) => searchArticles(db, caller, { ...query, term }, now(), ofMessageLabs),
  );

  route(
    'GET /api/messagelabs/:org/orders/:orderNumber',
    { summary: 'An order of MessageLabs by its number.', needs: readsServices, reply: orderSchema },
    async ({ caller, params: { org, orderNumber } }) => {
      const { organisation_id } = await visibleCustomer(db, caller, org)
        .select('c.organisation_id')
        .executeTakeFirstOrThrow(notFound);
      const order = await readOrder(db, caller, orderNumber);
      if (order.ServiceId !== messageLabs.serviceId || Number(order.CustomerId) !== organisation_id) throw notFound();
      return order;
    },
  );
}
