import path from 'node:path';
import type { Document } from '../edit-folder.ts';
import { formatDocument } from '../format.ts';
import type { Migration } from './migration.ts';
import renamed from './text-names.json' with { type: 'json' };

type Json = Readonly<Record<string, unknown>>;
const names: Readonly<Record<string, string>> = renamed;
const nameOf = (key: string): string => (Object.hasOwn(names, key) ? (names[key] as string) : key);

/** A document with the new keys, where they are a value or the first of a pair. */
function renameIn(value: unknown): unknown {
  if (typeof value === 'string') return nameOf(value);
  if (Array.isArray(value)) return value.map(renameIn);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [nameOf(name), renameIn(item)]));
}

const read = ({ text }: Document): Json => JSON.parse(text);
const write = (document: Document, json: Json): void => {
  document.text = formatDocument(json);
};

const plural = /_(?:zero|one|two|few|many|other)$/;

/** A key with that of the plural that it is of. */
function newKey(key: string): string {
  const [form = ''] = plural.exec(key) ?? [];
  return `${nameOf(key.slice(0, key.length - form.length))}${form}`;
}

/** The texts of one language under their new keys, in the files that these name. */
function moveTexts(documents: Document[], folder: string): void {
  const files = documents.filter(({ file }) => path.posix.dirname(file) === folder);
  const areas = new Map<string, Record<string, unknown>>();
  for (const document of files) {
    const area = path.posix.basename(document.file, '.json');
    for (const [name, text] of Object.entries(read(document))) {
      const key = name === '$schema' ? `${area}.${name}` : newKey(`${area}.${name}`);
      const [to = '', ...rest] = key.split('.');
      const texts = areas.get(to) ?? { $schema: '../../meta/texts.schema.json' };
      texts[rest.join('.')] = text;
      areas.set(to, texts);
    }
  }
  for (const [area, json] of areas) {
    const file = `${folder}/${area}.json`;
    const known = documents.find(document => document.file === file);
    if (known) write(known, json);
    else documents.push({ file, json, text: formatDocument(json) });
  }
}

/** Migration: renames texts so that the documents find them by default, without naming them. */
export const renameTexts: Migration = documents => {
  const texts = documents.filter(({ file }) => file.startsWith('text/'));
  for (const folder of new Set(texts.map(({ file }) => path.posix.dirname(file)))) moveTexts(documents, folder);
  for (const document of documents)
    if (!document.file.startsWith('text/') && document.json.operations === undefined)
      write(document, renameIn(read(document)) as Json);
  return [];
};
