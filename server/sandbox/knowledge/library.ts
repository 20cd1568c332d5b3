import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sanitizeHtml from 'sanitize-html';
import { categories } from './categories.ts';

/** Readers of articles: a reseller's people, a customer's administrators, people with a mailbox alone. */
export const sides = ['reseller', 'customer', 'mailbox'] as const;
export type Side = (typeof sides)[number];

/** An article as its file says it. */
export type Article = {
  /** Of its address: category and name of the file, such as "users/delete-a-user". */
  readonly path: string;
  readonly category: string;
  readonly title: string;
  readonly summary: string;
  /** HTML. */
  readonly content: string;
  readonly plain: string;
  /** Routes of the screens that it explains, as their documents write them. */
  readonly screens: readonly string[];
  /** Codes of the refusals that it helps with. */
  readonly codes: readonly string[];
  /** Views and permissions, of which whoever may read it holds one; none: everybody may. */
  readonly rights: readonly string[];
  /** None: everybody's. */
  readonly sides: readonly string[];
  readonly updated: string;
};

const folder = join(import.meta.dirname, 'articles');
const known = ['summary', 'screens', 'codes', 'rights', 'sides', 'updated'];

const listOf = (text = ''): string[] => text.split(/\s+/).filter(Boolean);

/** Gives the text of HTML, with a space between its blocks. */
const plainOf = (html: string): string =>
  sanitizeHtml(html.replace(/<\/(p|li|h2)>/g, '$& '), { allowedTags: [], allowedAttributes: {} })
    .replace(/\s+/g, ' ')
    .trim();

function readArticle(path: string, file: string): Article {
  const title = /^<title>([^<]+)<\/title>$/m.exec(file)?.[1];
  const facts = new Map(
    [...file.matchAll(/^<meta name="(\w+)" content="([^"]*)">$/gm)].map(([, name, value]) => [name, value]),
  );
  for (const name of facts.keys())
    if (!known.includes(name!)) throw new Error(`The article ${path} says "${name}", which no article says.`);
  const content = file.replace(/^(<!doctype html>|<title>.*|<meta .*)$/gim, '').trim();
  const [summary, updated] = [facts.get('summary'), facts.get('updated')];
  if (!title || !summary || !updated || content === '')
    throw new Error(`The article ${path} lacks its title, summary, day or content.`);
  return {
    path,
    category: path.split('/')[0]!,
    title,
    summary,
    content,
    plain: plainOf(content),
    screens: listOf(facts.get('screens')),
    codes: listOf(facts.get('codes')),
    rights: listOf(facts.get('rights')),
    sides: listOf(facts.get('sides')),
    updated,
  };
}

/**
 * Reads all articles from their files, `articles/<category>/<name>.html`.
 * @throws {Error} for a file that lacks something, or says what articles do not say
 */
export async function readLibrary(): Promise<readonly Article[]> {
  const articles: Article[] = [];
  for (const { id } of categories)
    for (const name of (await readdir(join(folder, id))).sort())
      articles.push(
        readArticle(`${id}/${name.replace(/\.html$/, '')}`, await readFile(join(folder, id, name), 'utf8')),
      );
  return articles;
}
