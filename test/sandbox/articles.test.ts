import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { permissions, views } from '../../server/sandbox/auth/words.ts';
import { refusalData } from '../../server/sandbox/http/refusals.ts';
import { type Article, readLibrary, sides } from '../../server/sandbox/knowledge/library.ts';
import { notEmpty } from '../fixtures/rows.ts';

const schemas = join(import.meta.dirname, '../../schemas');
const files = (readdirSync(schemas, { recursive: true }) as string[]).filter(file => /\.json$/.test(file));
const documents = files
  .filter(file => !/^(meta|text)\//.test(file))
  .map(file => JSON.parse(readFileSync(join(schemas, file), 'utf8')));
const routes = new Set(documents.flatMap(({ route = [] }) => route));
const words = files
  .filter(file => file.startsWith('text/en/'))
  .map(file => readFileSync(join(schemas, file), 'utf8'))
  .join('\n');

const articles = await readLibrary();
/** Lists what is wrong with each article, as "path: what". */
const wrong = (of: (article: Article) => readonly string[]) =>
  notEmpty(articles).flatMap(article => of(article).map(what => `${article.path}: ${what}`));

test('there are at least forty articles, each about a screen or a refusal', () => {
  assert.ok(articles.length >= 40, String(articles.length));
  assert.deepEqual(
    wrong(({ screens, codes, path }) =>
      screens.length + codes.length === 0 && !path.endsWith('lost-phone') ? ['nothing'] : [],
    ),
    [],
  );
});

test('an article names screens, refusals and rights that there are', () => {
  assert.deepEqual(
    wrong(({ screens }) => screens.filter(screen => !routes.has(screen))),
    [],
  );
  assert.deepEqual(
    wrong(({ codes }) => codes.filter(code => !(code in refusalData))),
    [],
  );
  const rights: readonly string[] = [...views, ...permissions];
  assert.deepEqual(
    wrong(article => article.rights.filter(right => !rights.includes(right))),
    [],
  );
  assert.deepEqual(
    wrong(article => article.sides.filter(side => !(sides as readonly string[]).includes(side))),
    [],
  );
});

test('a link of an article leads to a screen', () => {
  assert.deepEqual(
    wrong(({ content }) => [...content.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!).filter(to => !routes.has(to))),
    [],
  );
});

test('what an article quotes stands on a screen', () => {
  assert.deepEqual(
    wrong(({ content }) =>
      [...content.matchAll(/“([^”]*)”/g)].map(([, said]) => said!).filter(said => !words.includes(`"${said}`)),
    ),
    [],
  );
});

test('an article is made of plain elements, which a screen can draw', () => {
  const allowed = ['p', 'h2', 'ul', 'ol', 'li', 'a', 'kbd', 'code'];
  assert.deepEqual(
    wrong(({ content }) =>
      [...content.matchAll(/<\/?(\w+)/g)].map(([, name]) => name!).filter(name => !allowed.includes(name)),
    ),
    [],
  );
});
