import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';
import type { Side } from './library.ts';

/** How like a word of a title a word must be that is spelt otherwise: 1 is the same (pg_trgm, word_similarity). */
const likeness = 0.5;
/** Words that were not found and are kept; those that were asked for longest ago go first. */
export const mostMisses = 1000;
/** A single letter finds nothing. */
const leastLetters = 2;

export const sideOf = ({ customerId, userType }: Caller): Side => {
  if (customerId === null) return 'reseller';
  return userType === 'endUserAdmin' ? 'customer' : 'mailbox';
};

/** SQL over `kb_articles a`: whether an article is for the caller. */
export const isFor = (caller: Caller): RawBuilder<boolean> => {
  const rights = [...caller.views, ...caller.permissions];
  return sql`((a.rights = '{}' or a.rights && ${rights}::text[]) and (a.sides = '{}' or ${sideOf(caller)} = any (a.sides)))`;
};

/** Leaves word characters and white space of any alphabet (document 2, section 5: `\w` alone would cut "Müller"). */
export const searchTerms = (given: string): string =>
  given
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_\s]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Signs of print, and those of a keyboard that stand for them while words are marked: where PostgreSQL has the locale C, it
 * takes signs of print for letters.
 */
const printed = '“”„‘’‚–—…';
const typed = `"""'''--.`;
const inTyped = (text: RawBuilder<unknown>) => sql`translate(${text}, ${sql.lit(printed)}, ${sql.lit(typed)})`;
const toTyped = (text: string): string =>
  text.replace(new RegExp(`[${printed}]`, 'g'), sign => typed[printed.indexOf(sign)]!);

/** Gives a part of a text as it is printed. */
function printedPart(text: string, part: string): string {
  const from = toTyped(text).indexOf(part);
  return from < 0 ? part : text.slice(from, from + part.length);
}

const opens = '\u0001';
const closes = '\u0002';
const signs = `StartSel=${opens}, StopSel=${closes}`;
const wholeTitle = sql.lit(`${signs}, HighlightAll=true`);
const oneExcerpt = sql.lit(`${signs}, MaxWords=30, MinWords=15`);

/** Takes the marks of `ts_headline` out of a text, and gives where each began and ended, in turn, in UTF-16 units. */
export function readMarks(marked: string): { readonly text: string; readonly marks: number[] } {
  let text = '';
  const marks: number[] = [];
  for (const part of marked.split(opens)) {
    const [hit = '', rest] = part.split(closes);
    if (rest !== undefined) marks.push(text.length, text.length + hit.length);
    text += hit + (rest ?? '');
  }
  return { text, marks };
}

type Found = {
  readonly Id: string;
  readonly Path: string;
  readonly Category: string;
  readonly Name: string;
  readonly whole: string;
  readonly plain: string;
  readonly title: string;
  readonly excerpt: string;
  readonly total: number;
};
type Query = { readonly term: string; readonly page: number; readonly pageSize: number };

/**
 * Finds articles by words in any form ("deleting" finds "deleted"), best first; by titles with words like these where that
 * finds none. Highlights are places, never markup. `among` narrows the articles (a condition over `kb_articles a`); a search
 * so narrowed is not counted as one in vain.
 */
export async function searchArticles(
  db: Database,
  caller: Caller,
  { term, page, pageSize }: Query,
  now: Date,
  among?: RawBuilder<boolean>,
) {
  const terms = searchTerms(term);
  if ([...terms].length < leastLetters) return { Items: [], Total: 0 };
  const query = sql`websearch_to_tsquery('english', unaccent(${terms}))`;
  // Any of the words: a headline of all of them marks nothing in a text that lacks one, in some versions of PostgreSQL.
  const anyWord = sql`replace(${query}::text, '&', '|')::tsquery`;
  const read = async (condition: RawBuilder<boolean>, order: RawBuilder<number>) => {
    const { rows } = await sql<Found>`
      select f.id::text as "Id", f.path as "Path", f.category as "Category",
        split_part(f.path, '/', 2) as "Name", f.total,
        f.title as whole, f.plain,
        ts_headline('english', ${inTyped(sql`f.title`)}, ${anyWord}, ${wholeTitle}) as title,
        ts_headline('english', ${inTyped(sql`f.plain`)}, ${anyWord}, ${oneExcerpt}) as excerpt
      from (select a.*, count(*) over ()::int as total from kb_articles a
        where ${condition} and ${among ?? sql`true`} and ${isFor(caller)}
        order by ${order} desc, a.title limit ${pageSize} offset ${(page - 1) * pageSize}) f`.execute(db);
    return rows;
  };
  const asWords = await read(sql`a.words @@ ${query}`, sql`ts_rank(a.words, ${query})`);
  const like = sql<number>`word_similarity(lower(unaccent(${terms})), a.title_key)`;
  const rows = asWords.length > 0 || page > 1 ? asWords : await read(sql`${like} >= ${likeness}`, like);
  if (rows.length === 0 && page === 1 && among === undefined) await keepMiss(db, terms, now);
  const Items = rows.map(({ title, excerpt, whole: Title, plain: text, total: _, ...row }) => {
    const found = readMarks(excerpt);
    const Excerpt = printedPart(text, found.text);
    return { ...row, Title, TitleMarks: readMarks(title).marks, Excerpt, ExcerptMarks: found.marks };
  });
  return { Items, Total: rows[0]?.total ?? 0 };
}

async function keepMiss(db: Database, terms: string, now: Date): Promise<void> {
  await db
    .insertInto('kb_misses')
    .values({ term: terms.toLowerCase(), count: 1, last: now })
    .onConflict(known => known.column('term').doUpdateSet({ count: sql`kb_misses.count + 1`, last: now }))
    .execute();
  await sql`delete from kb_misses where term in (
    select term from kb_misses order by last desc offset ${mostMisses})`.execute(db);
}
