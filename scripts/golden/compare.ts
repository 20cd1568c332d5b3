import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './stage.ts';

const isObject = (value: Json): boolean => value !== null && typeof value === 'object';
const naming = ['id', 'name', 'testId', 'propertyName', 'key', 'path', 'to', 'Id', 'Name', 'type'];

function show(value: Json): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** Items by what one would call them, so that a node more does not make all others differ. */
function itemsByName(list: readonly Json[]): Map<string, Json> {
  const items = new Map<string, Json>();
  for (const item of list) {
    const key = isObject(item) ? naming.find(name => ['string', 'number'].includes(typeof item[name])) : undefined;
    const name = key === undefined ? (isObject(item) ? 'item' : JSON.stringify(item)) : `${item[key]}`;
    let unique = name;
    for (let count = 2; items.has(unique); count += 1) unique = `${name} (${count})`;
    items.set(unique, item);
  }
  return items;
}

/** Lists the differences between two JSON values, one line each: the path, and both values. */
export function differences(a: Json, b: Json, at = ''): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return [`${at}: ${show(a)} → ${show(b)}`];
  const [before, after] = [a, b].map(tree =>
    Array.isArray(tree) ? itemsByName(tree) : new Map<string, Json>(Object.entries(tree)),
  ) as [Map<string, Json>, Map<string, Json>];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const inner = names.flatMap(name => {
    if (!after.has(name)) return [`${at}/${name} is gone: ${show(before.get(name))}`];
    if (!before.has(name)) return [`${at}/${name} is new: ${show(after.get(name))}`];
    return differences(before.get(name), after.get(name), `${at}/${name}`);
  });
  const common = [before, after].map(tree => [...tree.keys()].filter(name => before.has(name) && after.has(name)));
  const isMoved = JSON.stringify(common[0]) !== JSON.stringify(common[1]);
  return isMoved ? [...inner, `${at}: the order differs: ${common[0]} → ${common[1]}`] : inner;
}

/** What differs between two texts, line by line, apart from what they have in common at both ends of each change. */
function lineDifferences(a: readonly string[], b: readonly string[]): string[] {
  const found: string[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    if (a[i] === b[j]) {
      i += 1;
      j += 1;
      continue;
    }
    // The nearest line that both go on with.
    let [skip, gone, come] = [1, a.length - i, b.length - j];
    search: for (; skip < 200; skip += 1)
      for (let left = 0; left <= skip; left += 1)
        if (i + left < a.length && a[i + left] === b[j + skip - left]) {
          [gone, come] = [left, skip - left];
          break search;
        }
    found.push(
      ...a.slice(i, i + gone).map(line => `- ${line.trim()}`),
      ...b.slice(j, j + come).map(line => `+ ${line.trim()}`),
    );
    i += gone;
    j += come;
  }
  return found;
}

const readJson = (file: string): Json => JSON.parse(readFileSync(file, 'utf8'));

/** Of the generated principals, each difference once, with how many of them it concerns. */
function trimmedDifferences(a: string, b: string): string[] {
  const [before, after] = [a, b].map(folder => readJson(join(folder, 'principals.json')));
  const concerned = new Map<string, string[]>();
  const add = (line: string, principal: string) => concerned.set(line, [...(concerned.get(line) ?? []), principal]);
  const compared = new Map<string, string[]>();
  const variant = (folder: string, part: string, digest: string): Json =>
    digest && readJson(join(folder, 'trimmed', `${part}.json`))[digest];
  for (const principal of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [own, other] = [before[principal], after[principal]];
    if (!own || !other) {
      add(`the principal is ${own ? 'gone' : 'new'}`, principal);
      continue;
    }
    for (const part of new Set([...Object.keys(own), ...Object.keys(other)])) {
      if (own[part] === other[part]) continue;
      const key = `${part} ${own[part]} ${other[part]}`;
      const lines =
        compared.get(key) ??
        (own[part] && other[part]
          ? differences(variant(a, part, own[part]), variant(b, part, other[part])).map(line => `${part} ${line}`)
          : [`${part} is ${own[part] ? 'gone' : 'new'}`]);
      compared.set(key, lines);
      for (const line of lines) add(line, principal);
    }
  }
  return [...concerned].map(
    ([line, whom]) => `${line}\n    for ${whom.length} generated principals, such as: ${whom[0]}`,
  );
}

/** Files of a record, but for those of the generated principals. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.(json|txt)$/.test(file) && !file.startsWith('trimmed/') && file !== 'principals.json')
    .sort();

/**
 * Compares two folders of records, file by file, and lists the differences as readable lines; empty when they are
 * equal.
 */
export function compareRecords(a: string, b: string): string[] {
  const files = [...new Set([...filesOf(a), ...filesOf(b)])].flatMap(file => {
    const [before, after] = [join(a, file), join(b, file)];
    if (!existsSync(before) || !existsSync(after)) return [`${file} is ${existsSync(before) ? 'gone' : 'new'}`];
    const [was, is] = [before, after].map(path => readFileSync(path, 'utf8')) as [string, string];
    if (was === is) return [];
    const lines = file.endsWith('.json')
      ? differences(JSON.parse(was), JSON.parse(is))
      : lineDifferences(was.split('\n'), is.split('\n'));
    return lines.map(line => `${file} ${line}`);
  });
  return [...trimmedDifferences(a, b), ...files];
}
