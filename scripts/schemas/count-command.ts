import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createLoader } from '../../server/layouts/load/load.ts';
import { defaultFolder, printProblems, type SchemasCommand } from './command.ts';
import { addCounts, type Count, countDocument, noCount } from './count.ts';

/** What other documents are made for: they say what the cloud answers and how things are called. */
const apart: ReadonlySet<string> = new Set(['operations', 'texts']);

const columns = ['documents', 'names', 'values', 'together', 'lines'] as const;

/** Prints the size of the documents by folder and by kind; the exit code is 1 where one cannot be read. */
export const countCommand: SchemasCommand = {
  usage: [
    [
      'count [folder]',
      'how many names (of properties) and values (texts, numbers, true, false, null) the documents hold, and lines, by folder and kind',
    ],
  ],
  async run([folder = defaultFolder()]) {
    const { sources, problems } = createLoader(path.resolve(folder))();
    printProblems(folder, problems);
    const byFolder = new Map<string, Count>();
    const byKind = new Map<string, Count>();
    let total = noCount;
    for (const { file, kind, json } of sources) {
      const count = countDocument(json, await readFile(path.join(folder, file), 'utf8'));
      const place = file.includes('/') ? path.posix.dirname(file) : '.';
      byFolder.set(place, addCounts(byFolder.get(place), count));
      byKind.set(kind, addCounts(byKind.get(kind), count));
      total = addCounts(total, count);
    }
    const others = [...byKind].filter(([kind]) => !apart.has(kind)).map(([, count]) => count);
    const row = (name: string, count: Count) => [name, ...columns.map(column => formatNumber(count[column]))];
    const rows = (counts: ReadonlyMap<string, Count>) =>
      [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => row(name, count));
    console.log(`Documents of ${folder}`);
    console.log(
      formatTable([
        ['by folder', ...columns],
        ...rows(byFolder),
        [],
        ['by kind', ...columns],
        ...rows(byKind),
        [],
        row('apart from operations and texts', others.reduce(addCounts, noCount)),
        row('all', total),
      ]),
    );
    return problems.length === 0 && sources.length > 0 ? 0 : 1;
  },
};

const formatNumber = (value: number): string => value.toLocaleString('en-GB');

/** The first column stands to the left, numbers to the right. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = ['', ...columns].map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)));
  return rows
    .map(row =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
