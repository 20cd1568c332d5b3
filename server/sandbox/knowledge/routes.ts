import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, described, id, integer, list, object, orNull, search, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { type RowOf, selected } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import type { Database } from '../tables.ts';
import { article, articles, foundArticles, query } from './article-fields.ts';
import { isFor, searchArticles } from './search.ts';

const category = object({ Id: string, Name: string });
const whole = object({
  ...article.shapes,
  Content: described(string, 'HTML.'),
  Categories: described(list(category), 'The category of the article, after those above it.'),
  HelpJuiceUrl: described(string, 'Address of the article on the portal.'),
  WordPressId: id,
  Helpful: { ...orNull(boolean), description: 'What the caller said of it; null: nothing yet.' },
  FoundHelpful: integer,
  FoundUnhelpful: integer,
  Related: described(list(article.schema), 'Articles about the same screens and of the same category, at most five.'),
});

const narrowed = { ...string, maxLength: 200, default: '' } as const;

/** Days for which an opening of an article counts as one of those that make it popular. */
const popularDays = 90;
/** Most articles that an article names as related. */
const mostRelated = 5;

/** The categories from the topmost to this one. */
async function trailOf(db: Database, categoryId: string) {
  const { rows } = await sql<{ readonly Id: string; readonly Name: string }>`
    with recursive trail as (
      select id, parent, name, 0 as height from kb_categories where id = ${categoryId}
      union all select c.id, c.parent, c.name, height + 1 from kb_categories c join trail t on c.id = t.parent)
    select id as "Id", name as "Name" from trail order by height desc`.execute(db);
  return rows;
}

async function readArticle(db: Database, caller: Caller, by: { readonly id: number } | { readonly path: string }) {
  const one = 'id' in by ? sql`a.id = ${by.id}` : sql`a.path = ${by.path}`;
  const { rows } = await sql<RowOf<typeof article> & { readonly content: string }>`
    select ${selected(article)}, a.content from kb_articles a where ${one} and ${isFor(caller)}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  const articleId = Number(row.Id);
  const votes = await db
    .selectFrom('kb_votes')
    .select([
      sql<number>`count(*) filter (where helpful)::int`.as('helpful'),
      sql<number>`count(*) filter (where not helpful)::int`.as('unhelpful'),
      sql<boolean | null>`bool_or(helpful) filter (where account_id = ${caller.accountId})`.as('own'),
    ])
    .where('article_id', '=', articleId)
    .executeTakeFirstOrThrow();
  const { rows: related } = await sql<RowOf<typeof article>>`
    select ${selected(article)} from kb_articles a join kb_articles this on this.id = ${articleId}
    where a.id <> this.id and (a.category = this.category or a.screens && this.screens) and ${isFor(caller)}
    order by a.screens && this.screens desc, a.category = this.category desc, a.title limit ${mostRelated}`.execute(db);
  const { content, ...shown } = row;
  return {
    ...shown,
    Content: content,
    Categories: await trailOf(db, row.Category),
    HelpJuiceUrl: `/knowledge-base/article/${row.Path}`,
    WordPressId: row.Id,
    Helpful: votes.own,
    FoundHelpful: votes.helpful,
    FoundUnhelpful: votes.unhelpful,
    Related: related,
  };
}

/** Adds the routes of the knowledge base (document 2, section 7). Whoever is signed in reads the articles that are for them. */
export function addKnowledgeRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['knowledge base'], needs: anyone });
  const base = '/api/knowledge-base';

  route(
    `GET ${base}/articles`,
    {
      summary: 'Articles by title, also those of one category, about one screen or for one refusal.',
      query: query({ category: narrowed, screen: narrowed, code: narrowed }),
      reply: articles,
    },
    ({ caller, query }) =>
      listPage(db, query, {
        fields: article,
        from: sql`kb_articles a`,
        where: isFor(caller),
        filters: {
          category: category => sql`a.category in (
            with recursive below as (select ${category}::text as id
              union all select c.id from kb_categories c join below b on c.parent = b.id) select id from below)`,
          screen: screen => sql`${screen} = any (a.screens)`,
          code: code => sql`${code} = any (a.codes)`,
        },
        order: sql`a.title, a.id`,
      }),
  );

  route(`GET ${base}/search`, { query: query({ term: search }), reply: foundArticles }, ({ caller, query }) =>
    searchArticles(db, caller, query, now()),
  );

  route(
    `GET ${base}/popular`,
    { summary: `Articles that most people opened in ${popularDays} days.`, query: query({}), reply: articles },
    ({ caller, query }) =>
      listPage(db, query, {
        fields: article,
        from: sql`kb_articles a left join (select article_id, count(*) as people from kb_openings
          where opened > ${new Date(now().getTime() - popularDays * 86_400_000)} group by 1) o on o.article_id = a.id`,
        where: isFor(caller),
        order: sql`coalesce(o.people, 0) desc, a.title, a.id`,
      }),
  );

  route(
    `GET ${base}/recent`,
    { summary: 'Articles that the caller opened, the last one first.', query: query({}), reply: articles },
    ({ caller, query }) =>
      listPage(db, query, {
        fields: article,
        from: sql`kb_articles a join kb_openings o on o.article_id = a.id`,
        where: sql`o.account_id = ${caller.accountId} and ${isFor(caller)}`,
        order: sql`o.opened desc, a.id`,
      }),
  );

  route(
    `GET ${base}/categories`,
    {
      summary: 'Categories that have articles for the caller, below one or at the top, and those above.',
      query: { type: 'object', additionalProperties: false, properties: { parent: narrowed } },
      reply: object({
        Name: described(string, 'The category itself; empty at the top.'),
        Trail: list(category),
        Children: list(object({ Id: string, Name: string, Articles: integer })),
      }),
    },
    async ({ caller, query: { parent } }) => {
      const Trail = parent === '' ? [] : await trailOf(db, parent);
      if (parent !== '' && Trail.length === 0) throw notFound();
      const { rows: Children } = await sql<{ readonly Id: string; readonly Name: string; readonly Articles: number }>`
        with recursive below as (
          select id as top, id from kb_categories where parent is not distinct from ${parent === '' ? null : parent}
          union all select b.top, c.id from kb_categories c join below b on c.parent = b.id)
        select t.id as "Id", t.name as "Name", count(a.id)::int as "Articles"
        from below b join kb_categories t on t.id = b.top
        join kb_articles a on a.category = b.id and ${isFor(caller)}
        group by t.id, t.name, t.position order by t.position`.execute(db);
      return { Name: Trail.at(-1)?.Name ?? '', Trail, Children };
    },
  );

  route(`GET ${base}/articles/:articleId`, { reply: whole }, ({ caller, params }) =>
    readArticle(db, caller, { id: idOf(params.articleId) }),
  );

  route(`GET ${base}/article-by-path/:category/:name`, { reply: whole }, ({ caller, params: { category, name } }) =>
    readArticle(db, caller, { path: `${category}/${name}` }),
  );

  route(
    `PUT ${base}/articles/:articleId/opened`,
    { summary: 'Says that the caller has opened an article, which makes it recent and popular.' },
    async ({ caller, params }) => {
      const { Id } = await readArticle(db, caller, { id: idOf(params.articleId) });
      const opened = now();
      await db
        .insertInto('kb_openings')
        .values({ account_id: caller.accountId, article_id: Number(Id), opened })
        .onConflict(known => known.columns(['account_id', 'article_id']).doUpdateSet({ opened }))
        .execute();
    },
  );

  route(
    `PUT ${base}/articles/:articleId/helpful`,
    {
      summary: 'Says whether an article helped; a second word takes the place of the first.',
      body: object({ Helpful: boolean }),
    },
    async ({ caller, params, body: { Helpful } }) => {
      const { Id } = await readArticle(db, caller, { id: idOf(params.articleId) });
      await db
        .insertInto('kb_votes')
        .values({ account_id: caller.accountId, article_id: Number(Id), helpful: Helpful })
        .onConflict(known => known.columns(['account_id', 'article_id']).doUpdateSet({ helpful: Helpful }))
        .execute();
      return 'Thank you.';
    },
  );
}
