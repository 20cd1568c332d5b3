import type { Layout, LayoutText, Operation } from '../../../shared/language/types.ts';
import type { Compiled } from '../names/pass.ts';
import type { Access, Outline, Outlined } from './access-types.ts';

/** Tells what an access comes to. */
export function outlineOf(access: Access, { names }: Compiled): Outline {
  const screens = new Map<string, Outlined>();
  for (const [route, { layout }] of access.screens) screens.set(route, { name: plain(titleOf(layout)), detail: route });
  const calls = new Map<string, Outlined>();
  const fields = new Map<string, Outlined>();
  for (const [name, capability] of [...access.reads, ...access.files, ...access.writes, ...access.commands]) {
    const said = describeCall(name, names.operations.get(name));
    calls.set(name, said);
    for (const { propertyName } of capability.fields ?? [])
      fields.set(`${name} body.${propertyName}`, { name: inWords(propertyName), detail: said.name });
    for (const path of access.fieldsOf(name))
      fields.set(`${name} reply.${path}`, { name: inWords(path.split('.').at(-1) ?? ''), detail: said.name });
  }
  return { screens, calls, fields, parts: partsOf(access) };
}

const describeCall = (name: string, operation: Operation | undefined): Outlined => ({
  name: operation?.description ?? inWords(name),
  detail: operation ? `${operation.method} ${operation.path}` : name,
});

const titleOf = (layout: Layout): LayoutText => (layout.kind === 'navigation' ? '' : (layout.title ?? layout.id));

/** A text without what it interpolates. */
function plain(text: unknown): string {
  const written = typeof text === 'object' && text !== null ? ((text as { other?: unknown }).other ?? '') : text;
  return String(written)
    .replace(/\{\{\w+\}\}/g, '…')
    .trim();
}

/** A name of the wire as people read it: "MonthlySpend" → "Monthly spend". */
function inWords(name: string): string {
  const words = name.replace(/[._-]+/g, ' ').replace(/(?<=[a-z0-9])[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What tells a part from others of its document, the first that it has; numbers of nodes change with what is kept. */
const marks = ['testId', 'path', 'propertyName', 'rows', 'id', 'to'] as const;
const namings = ['text', 'label', 'title', 'button'] as const;

function partsOf(access: Access): Map<string, Outlined> {
  const parts = new Map<string, Outlined>();
  const documents = [...access.screens.values(), ...access.popups.values(), ...listOf(access.navigation)];
  for (const { layout } of documents) {
    const { kind, id } = layout;
    const within = kind === 'navigation' ? '' : plain(titleOf(layout));
    const visit = (value: unknown, around: string): void => {
      if (Array.isArray(value)) for (const item of value) visit(item, around);
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
      const part = value as Readonly<Record<string, unknown>>;
      const mark = marks.find(name => typeof part[name] === 'string' && !/^n\d+$/.test(part[name]));
      const said = plain(namings.map(name => part[name]).find(text => plain(text ?? '') !== '') ?? '');
      const key = mark ? `${around} ${String(part[mark])}` : around;
      if (mark && said !== '' && value !== layout) parts.set(key, { name: said, detail: within });
      for (const [name, below] of Object.entries(part)) if (name !== 'on' && name !== 'catalogues') visit(below, key);
    };
    visit(layout, `${kind}:${id}`);
  }
  return parts;
}

const listOf = <T>(item: T | undefined): T[] => (item === undefined ? [] : [item]);
