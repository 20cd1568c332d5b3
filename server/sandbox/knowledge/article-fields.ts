import { sql } from 'kysely';
import { day, described, id, integer, list, object, string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';

export const article = fields('a', [
  { name: 'Id', shape: id },
  { name: 'Path' },
  { name: 'Category' },
  { name: 'Name', column: sql`split_part(a.path, '/', 2)` },
  { name: 'Title' },
  { name: 'Summary' },
  { name: 'Updated', shape: day },
]);
export const articles = object({ Items: list(article.schema), Total: integer });
const marks = described(list(integer), 'Where each word that was found begins and ends, in turn, in UTF-16 units.');
const found = object({
  Id: id,
  Path: string,
  Category: string,
  Name: string,
  Title: string,
  TitleMarks: marks,
  Excerpt: string,
  ExcerptMarks: marks,
});
const paging = {
  page: { type: 'integer', minimum: 1, maximum: 10_000, default: 1 },
  pageSize: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
} as const;
export const query = <const P extends object>(more: P) =>
  ({ type: 'object', additionalProperties: false, properties: { ...paging, ...more } }) as const;

export const foundArticles = object({ Items: list(found), Total: integer });
