import { isEmpty, writeJson } from './page.ts';
import { groups, type Topic } from './topic.ts';

const start = '<!-- reference: written by npm run docs -->';

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

function entry({ name, says, properties, example }: Topic): string {
  const rows = properties.map(
    ({ name, kind, needed, says }) => `| \`${name}\`${needed ? ' *' : ''} | ${cell(kind)} | ${cell(says)} |`,
  );
  return [
    `#### ${name}`,
    says,
    rows.length > 0 ? ['| property | value | meaning |', '|---|---|---|', ...rows].join('\n') : '',
    isEmpty(example) ? '' : `\`\`\`json\n${writeJson(example)}\n\`\`\``,
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

/**
 * Gives the text of the guide (`schemas/README.md`) with the language's reference at its end: every topic with its
 * properties (* is needed) and an example.
 */
export function withReference(guide: string, topics: readonly Topic[]): string {
  const [head = ''] = guide.split(start);
  const parts = Object.entries(groups).map(([group, title]) =>
    [`### ${title}`, ...topics.filter(topic => topic.group === group).map(entry)].join('\n\n'),
  );
  return `${head.trimEnd()}\n\n${start}\n\n${parts.join('\n\n')}\n`;
}
