import type { Layout, LayoutText } from '../../../shared/language/types.ts';
import type { Principal } from '../../access/principal.ts';
import { type CallerFacts, type Compiled, type CompiledDocument, callerFacts, TrimPass } from '../names/pass.ts';
import { textOfCommand } from '../names/server-texts.ts';
import type { Outline, Outlined } from './access-types.ts';
import { createCapabilities, createProjections } from './capabilities.ts';
import { memoiseByQuestions } from './memoise-by-questions.ts';
import { emitDocument, emitUntilStable, type Result, reach } from './trim.ts';

type Emit = (caller: CallerFacts) => Result | undefined;
/** Documents as somebody would get them, by key: those that can be reached. */
export type Reached = ReadonlyMap<string, Result>;

/** Principals after which what was remembered of documents goes. */
const remembered = 500;

/**
 * Trims all documents for whoever tries rights out, and so asks again and again for almost the same: a document is trimmed
 * once for all for whom its requirements come out alike (see memoise-by-questions.ts).
 */
export function createTrial(compiled: Compiled): (principal: Principal) => Reached {
  let emits = new Map<CompiledDocument, Emit>();
  let count = 0;

  const emit = (_: Compiled, document: CompiledDocument, caller: CallerFacts): Result | undefined => {
    let own = emits.get(document);
    if (!own) {
      own = memoiseByQuestions(asked => emitDocument(compiled, document, asked));
      emits.set(document, own);
    }
    return own(caller);
  };

  return principal => {
    count += 1;
    if (count % remembered === 0) emits = new Map();
    return reach(compiled, emitUntilStable(compiled, principal, emit));
  };
}

/** Tells what anybody would have, from what `trial` makes of the documents for them. */
export function createOutliner(
  compiled: Compiled,
  trial: (principal: Principal) => Reached,
): (principal: Principal) => Outline {
  const told = new WeakMap<Result, ReadonlyMap<string, Outlined>>();
  const partsIn = (result: Result): ReadonlyMap<string, Outlined> => {
    const parts = told.get(result) ?? partsOf(result.layout);
    told.set(result, parts);
    return parts;
  };

  return principal => {
    const results = [...trial(principal).values()];
    return {
      ...readUses(compiled, principal, results),
      parts: new Map(results.flatMap(result => [...partsIn(result)])),
    };
  };
}

function readUses(compiled: Compiled, principal: Principal, results: readonly Result[]): Omit<Outline, 'parts'> {
  const screens = new Map<string, Outlined>();
  for (const { layout } of results)
    if (layout.kind === 'screen') screens.set(layout.route, { name: plain(titleOf(layout)), detail: layout.route });
  const uses = results.flatMap(result => result.uses);
  const pass = new TrimPass(compiled, callerFacts(principal, new Set()));
  const { reads, files, writes, commands } = createCapabilities(compiled, principal, uses, pass);
  const { fieldsOf } = createProjections(compiled, uses, pass);
  const calls = new Map<string, Outlined>();
  const fields = new Map<string, Outlined>();
  for (const [name, capability] of [...reads, ...files, ...writes, ...commands]) {
    const said = describeCall(compiled, name, principal.facts.locale);
    for (const { propertyName } of capability.fields ?? [])
      fields.set(`${name} body.${propertyName}`, { name: inWords(propertyName), detail: said.name });
    // An operation that is read and written alike has its fields once.
    if (calls.has(name)) continue;
    calls.set(name, said);
    for (const path of fieldsOf(name))
      fields.set(`${name} reply.${path}`, { name: inWords(path.split('.').at(-1) ?? ''), detail: said.name });
  }
  return { screens, calls, fields };
}

/**
 * A call in words: what an operation says of itself, or the text of a command (`commands.<name>`). `detail`: method and
 * path of an operation, the name of a command.
 */
export function describeCall(compiled: Compiled, name: string, locale: string): Outlined {
  const { names, texts } = compiled;
  const operation = names.operations.get(name);
  if (operation)
    return { name: operation.description ?? inWords(name), detail: `${operation.method} ${operation.path}` };
  const { toldAs } = names.commands.get(name) ?? {};
  const said = toldAs === undefined ? texts.fill(textOfCommand(name), {}, locale) || inWords(name) : undefined;
  return { name: said ?? describeCall(compiled, String(toldAs), locale).name, detail: name };
}

const titleOf = (layout: Layout): LayoutText => (layout.kind === 'navigation' ? '' : (layout.title ?? layout.id));

/** A screen in words: its title, or where that is made of data alone, its id. */
export function describeScreen(layout: Layout): string {
  const title = plain(titleOf(layout));
  return /\p{L}/u.test(title) ? title : inWords(layout.id);
}

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

/**
 * Properties that tell a part from others of its document, the first that it has: numbers of nodes change with what is
 * kept.
 */
const marks = ['testId', 'path', 'propertyName', 'rows', 'id', 'to'] as const;
const namings = ['text', 'label', 'title', 'button'] as const;

function partsOf(layout: Layout): Map<string, Outlined> {
  const parts = new Map<string, Outlined>();
  const within = plain(titleOf(layout));
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
  visit(layout, `${layout.kind}:${layout.id}`);
  return parts;
}
