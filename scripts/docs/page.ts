import { isDeepStrictEqual } from 'node:util';
import { formatDocument } from '../../server/editing/format.ts';
import type { LiveExample } from './examples.ts';
import type { SearchEntry } from './search-topics.ts';
import { groups, type Property, type Topic } from './topic.ts';

/** Escapes a text for HTML: `&`, `<`, `>` and `"`. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string);

/** A sentence with what stands in backquotes as code. */
const sentence = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** True for the example of a topic that has none. */
const isEmpty = (example: unknown): boolean =>
  example === undefined || (typeof example === 'object' && Object.keys(example ?? {}).length === 0);

const root = '/docs/layout/';
/** Gives the address of a topic's page in the reference. */
export const addressOf = ({ group, name }: Topic): string => `${root}${group}/${name}/`;

/** Lists the pages of the reference for its search. */
export const searchIndex = (topics: readonly Topic[]): readonly SearchEntry[] =>
  topics.map(topic => ({
    ...{ name: topic.name, group: groups[topic.group], address: addressOf(topic), says: topic.says },
    properties: topic.properties.map(({ name }) => name),
  }));

function contents(topics: readonly Topic[], shown: Topic | undefined): string {
  return Object.entries(groups)
    .map(([group, title]) => {
      const links = topics
        .filter(topic => topic.group === group)
        .map(topic => {
          const current = topic === shown ? ' aria-current="page"' : '';
          return `<li><a href="${addressOf(topic)}"${current}>${escapeHtml(topic.name)}</a></li>`;
        });
      return `<h2>${title}</h2>\n<ul>\n${links.join('\n')}\n</ul>`;
    })
    .join('\n');
}

/** The row of a property; where others of its table may be left out, with what it is then. */
const rowWith =
  (hasDefaults: boolean) =>
  ({ name, kind, needed, says, otherwise = '' }: Property): string =>
    `<tr><th scope="row"><code>${escapeHtml(name)}</code>${needed ? ' needed' : ''}</th><td>${escapeHtml(kind)}</td><td>${sentence(says)}</td>${hasDefaults ? `<td>${sentence(otherwise)}</td>` : ''}</tr>`;

function table(properties: readonly Property[]): string {
  const hasDefaults = properties.some(({ otherwise }) => otherwise !== undefined);
  const heads = ['Name', 'Value', 'Meaning', ...(hasDefaults ? ['Left out, in short form'] : [])];
  const head = heads.map(title => `<th scope="col">${title}</th>`).join('');
  return `<h2>Properties</h2>\n<div class="wide" tabindex="0" role="region" aria-label="Properties"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${properties.map(rowWith(hasDefaults)).join('\n')}\n</tbody>\n</table></div>`;
}

/** JSON as `npm run schemas format` writes it. */
const code = (value: object): string =>
  `<pre tabindex="0"><code>${escapeHtml(formatDocument(value).trimEnd())}</code></pre>`;

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object';

/** An example as documents have it, with its long form folded below where that is another one. */
function exampleOf({ example, file }: Topic, long: unknown): string {
  const isOther = isContainer(long) && !isDeepStrictEqual(long, example);
  return [
    `<h2>Example</h2>${file === undefined ? '' : `\n<p><code>${escapeHtml(file)}</code></p>`}`,
    isContainer(example) ? code(example) : `<p>${escapeHtml(String(example))}</p>`,
    ...(isOther ? [`<details><summary>Long form</summary>\n${code(long)}\n</details>`] : []),
  ].join('\n');
}

function body(topic: Topic, { live, long = topic.long }: Shown): string {
  const { name, says, properties, example } = topic;
  return [
    `<h1>${escapeHtml(name)}</h1>`,
    says && `<p>${sentence(says)}</p>`,
    live && '<h2>Live</h2>\n<div id="live"></div>',
    !isEmpty(example) && exampleOf(topic, long),
    properties.length > 0 && table(properties),
    live && `<script type="application/json" id="example">${JSON.stringify(live).replace(/</g, '\\u003c')}</script>`,
    live && `<script type="module" src="${root}live.js"></script>`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** The layout and replies from which an example of a topic is drawn, and its long form. */
export type Shown = { readonly live?: LiveExample | undefined; readonly long?: unknown };

/** Makes the HTML of a page of the reference: that of a topic, or without one the first page. */
export function page(topics: readonly Topic[], topic: Topic | undefined, shown: Shown = {}): string {
  const title = topic ? `${topic.name} - layout language` : 'Layout language';
  const first =
    '<h1>Layout language</h1>\n<p>Everything that documents can say. Whatever can be seen has an example that runs. Examples are written as documents are, in short form; what each stands for is folded below it. What must be written is marked as needed; the last column of a table says what a property is where it is left out in short form.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}icons.svg">
<link rel="stylesheet" href="${root}live.css">
<link rel="stylesheet" href="${root}page.css">
</head>
<body>
<nav aria-label="Reference"><p><a href="${root}">Layout language</a></p>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" data-index="${root}search.json">
<p id="found" role="status"></p>
<ul id="results"></ul>
${contents(topics, topic)}
</nav>
<main>
${topic ? body(topic, shown) : first}
</main>
<script type="module" src="${root}search.js"></script>
</body>
</html>
`;
}
