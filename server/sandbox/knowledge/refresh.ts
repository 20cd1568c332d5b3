import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { categories } from './categories.ts';
import { type Article, readLibrary } from './library.ts';
import { refreshRelatedLinks } from './related-links.ts';

const words = ({ title, summary, plain }: Article) => sql<string>`
  setweight(to_tsvector('english', unaccent(${title})), 'A') ||
  setweight(to_tsvector('english', unaccent(${summary})), 'B') ||
  setweight(to_tsvector('english', unaccent(${plain})), 'C')`;

const parametersOf = (list: readonly string[]) => sql<string[]>`${[...list]}::text[]`;

/** Brings the articles up to what the files say; an article keeps its id as long as it keeps its path. */
export async function refreshKnowledge(trx: Write): Promise<void> {
  const articles = await readLibrary();
  await trx
    .insertInto('kb_categories')
    .values(categories.map(({ id, name, parent }, position) => ({ id, name, parent: parent ?? null, position })))
    .onConflict(category =>
      category.column('id').doUpdateSet(set => ({
        name: set.ref('excluded.name'),
        parent: set.ref('excluded.parent'),
        position: set.ref('excluded.position'),
      })),
    )
    .execute();
  for (const article of articles) {
    const { path, category, title, summary, content, plain, updated } = article;
    const row = {
      ...{ path, category, title, summary, content, plain, updated },
      title_key: sql<string>`lower(unaccent(${title}))`,
      screens: parametersOf(article.screens),
      codes: parametersOf(article.codes),
      rights: parametersOf(article.rights),
      sides: parametersOf(article.sides),
      words: words(article),
    };
    await trx
      .insertInto('kb_articles')
      .values(row)
      .onConflict(known => known.column('path').doUpdateSet(row))
      .execute();
  }
  await trx
    .deleteFrom('kb_articles')
    .where(
      'path',
      'not in',
      articles.map(({ path }) => path),
    )
    .execute();
  await trx
    .deleteFrom('kb_categories')
    .where(
      'id',
      'not in',
      categories.map(({ id }) => id),
    )
    .execute();
  await refreshRelatedLinks(trx);
}
