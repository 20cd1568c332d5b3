import { type Node, parseTree } from 'jsonc-parser';
import type { Document } from '../edit-folder.ts';
import type { Migration } from './migration.ts';

type Words = Readonly<Record<string, string>>;

/** By node type the properties that have another name since; `a.b` is the property `b` of what stands in `a`. */
export const renamed: Readonly<Record<string, Words>> = {
  bell: { title: 'titlePath', filter: 'filterPath', empty: 'emptyText' },
  card: { icon: 'iconPath' },
  chart: { title: 'titlePath' },
  choices: { title: 'titlePath', icon: 'iconPath', mark: 'markPath', empty: 'emptyText' },
  combobox: { title: 'titlePath', words: 'searchPath', mark: 'markPath', empty: 'emptyText' },
  filter: { title: 'titlePath' },
  grid: { title: 'titlePath', search: 'searchLabel', noMatch: 'noMatchText' },
  list: { title: 'titlePath', icon: 'iconPath', empty: 'emptyText' },
  match: {
    title: 'titlePath',
    filter: 'filterPath',
    search: 'searchPath',
    options: 'candidates',
    'options.title': 'titlePath',
    'options.empty': 'emptyText',
  },
  policy: { kind: 'typePath' },
  rows: { undo: 'undoText' },
  table: { 'columns.icon': 'iconPath' },
  'tick-all': { fields: 'boxes' },
  ticks: { title: 'titlePath', count: 'countPath', search: 'searchPath', find: 'searchLabel', empty: 'emptyText' },
  transfer: { search: 'searchLabel', selected: 'selectedText', empty: 'emptyText', noMatch: 'noMatchText' },
};
const renamedTypes: Words = { rows: 'field-rows' };

/** A string of a document with another in its place. */
type Edit = { readonly node: Node; readonly to: string };

const isNode = (node: Node | undefined): node is Node => node !== undefined;
const propertiesOf = (object: Node): [name: Node, value: Node][] =>
  object.type === 'object' ? (object.children ?? []).map(({ children }) => children as [Node, Node]) : [];

/** The new names in one object, and in what stands in its properties. */
function renameIn(object: Node, words: Words): Edit[] {
  return propertiesOf(object).flatMap(([name, value]) => {
    const to = Object.hasOwn(words, name.value) ? words[name.value] : undefined;
    const inside = Object.entries(words).flatMap(([way, word]) =>
      way.startsWith(`${name.value}.`) ? [[way.slice(name.value.length + 1), word]] : [],
    );
    const objects = value.type === 'array' ? (value.children ?? []) : [value];
    const below = inside.length > 0 ? objects.flatMap(item => renameIn(item, Object.fromEntries(inside))) : [];
    return [...(to === undefined ? [] : [{ node: name, to }]), ...below];
  });
}

function editsIn(node: Node): Edit[] {
  const type = propertiesOf(node).find(([name]) => name.value === 'type')?.[1];
  const words = typeof type?.value === 'string' && Object.hasOwn(renamed, type.value) ? renamed[type.value] : undefined;
  const to = words && type && Object.hasOwn(renamedTypes, type.value) ? renamedTypes[type.value] : undefined;
  return [
    ...(words ? renameIn(node, words) : []),
    ...(type && to !== undefined ? [{ node: type, to }] : []),
    ...(node.children ?? []).filter(isNode).flatMap(editsIn),
  ];
}

function rename(document: Document): void {
  const tree = parseTree(document.text);
  const edits = tree ? editsIn(tree).sort((a, b) => b.node.offset - a.node.offset) : [];
  for (const { node, to } of edits) {
    const { text } = document;
    document.text = `${text.slice(0, node.offset)}${JSON.stringify(to)}${text.slice(node.offset + node.length)}`;
  }
}

/** Migration: renames properties of nodes whose name means something else in another place of the language. */
export const renameWords: Migration = documents => {
  for (const document of documents)
    if (/\/(screen|popup|form|navigation)\.schema\.json$/.test(String(document.json.$schema))) rename(document);
  return [];
};
