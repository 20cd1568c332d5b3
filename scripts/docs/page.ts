import type { LiveExample } from './examples.ts';
import { groups, type Property, type Topic } from './topic.ts';

/** Escapes a text for HTML: `&`, `<`, `>` and `"`. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string);

/** True for the example of a topic that has none. */
const isEmpty = (example: unknown): boolean =>
  example === undefined || (typeof example === 'object' && Object.keys(example ?? {}).length === 0);

/**
 * Writes JSON in the style of the documents: a value that fits into 110 characters on one line, a longer one over
 * several, indented by two.
 */
function writeJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, undefined, 1)?.replace(/\n\s*/g, ' ') ?? 'null';
  if (value === null || typeof value !== 'object' || indent.length + flat.length <= 110) return flat;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map(item => inner + writeJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${writeJson(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

const root = '/docs/layout/';
/** Gives the address of a topic's page in the reference. */
export const addressOf = ({ group, name }: Topic): string => `${root}${group}/${name}/`;

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

const row = ({ name, kind, needed, says }: Property): string =>
  `<tr><th scope="row"><code>${escapeHtml(name)}</code>${needed ? ' needed' : ''}</th><td>${escapeHtml(kind)}</td><td>${escapeHtml(says)}</td></tr>`;

function body({ name, says, properties, example }: Topic, live: LiveExample | undefined): string {
  return [
    `<h1>${escapeHtml(name)}</h1>`,
    says && `<p>${escapeHtml(says)}</p>`,
    live && '<h2>Live</h2>\n<div id="live"></div>',
    !isEmpty(example) && `<h2>Example</h2>\n<pre tabindex="0"><code>${escapeHtml(writeJson(example))}</code></pre>`,
    properties.length > 0 &&
      `<h2>Properties</h2>\n<div class="wide" tabindex="0" role="region" aria-label="Properties"><table>\n<thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>\n<tbody>\n${properties.map(row).join('\n')}\n</tbody>\n</table></div>`,
    live && `<script type="application/json" id="example">${JSON.stringify(live).replace(/</g, '\\u003c')}</script>`,
    live && `<script type="module" src="${root}live.js"></script>`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Makes the HTML of a page of the reference: that of a topic, or without one the first page. */
export function page(topics: readonly Topic[], topic: Topic | undefined, live: LiveExample | undefined): string {
  const title = topic ? `${topic.name} - layout language` : 'Layout language';
  const first =
    '<h1>Layout language</h1>\n<p>Everything that documents can say. Whatever can be seen has an example that runs.</p>';
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
${contents(topics, topic)}
</nav>
<main>
${topic ? body(topic, live) : first}
</main>
</body>
</html>
`;
}
