import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { getNodeValue, type Node as JsonNode, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type DocumentKind, documentSchemas } from '../../../shared/language/documents.ts';
import { dangerousNames } from '../compile/scope.ts';
import { type Problem, suggest } from './problem.ts';

/** Where in a document: property names and list indexes from its root. */
export type Pointer = readonly (string | number)[];

/** One schema file, read and parsed. */
export type Source = {
  readonly file: string;
  readonly hash: string;
  readonly kind: DocumentKind;
  readonly json: Record<string, unknown>;
  /** A problem at a place in this file. */
  problem(at: Pointer, message: string, severity?: Problem['severity']): Problem;
  /** Parts of it stand in other files. */
  readonly isComposed?: true;
  /** True where the requirement of a part stands together with that of its use, as nobody wrote it. */
  isJoined?(at: Pointer): boolean;
  /** Of a long form the document as it is written, and where a part of the long form stands in it. */
  readonly written?: { readonly json: Record<string, unknown>; at(long: Pointer): Pointer };
  /** What is wrong with its short forms. */
  readonly expansionProblems?: readonly Problem[];
};

export type Loaded = { readonly sources: readonly Source[]; readonly problems: readonly Problem[] };

const maximumBytes = 512 * 1024;
const maximumDepth = 60;
const maximumFiles = 5000;
const mebibyte = 1024 * 1024;
const maximumTotalBytes = 32 * mebibyte;

type Cached = { readonly stamp: string; readonly result: Source | readonly Problem[] };

/**
 * Reads every `.json` below a folder, `meta/` and hidden entries apart. A file that did not change since the last
 * call is taken over as it was. Files that cannot be read or parsed are reported; they are not in `sources`.
 */
export function createLoader(dir: string): () => Promise<Loaded> {
  let cache = new Map<string, Cached>();
  return async () => {
    const next = new Map<string, Cached>();
    const sources: Source[] = [];
    const problems: Problem[] = [];
    const files = await listFiles(dir);
    if (files.length > maximumFiles)
      return refuseAll(`${files.length} documents are more than the ${maximumFiles} that a folder may have.`);
    const found = await Promise.all(files.map(async file => ({ file, info: await stat(path.join(dir, file)) })));
    const bytes = found.reduce((sum, { info }) => sum + info.size, 0);
    if (bytes > maximumTotalBytes)
      return refuseAll(
        `The documents have ${Math.ceil(bytes / mebibyte)} MiB, more than the ${maximumTotalBytes / mebibyte} that a folder may have.`,
      );
    const read = await Promise.all(
      found.map(async ({ file, info }) => {
        const stamp = `${info.mtimeMs}:${info.size}:${info.ino}`;
        const known = cache.get(file);
        if (known?.stamp === stamp) return { file, cached: known };
        const result =
          info.size > maximumBytes
            ? [plainProblem(file, `Larger than ${maximumBytes / 1024} KiB.`)]
            : parseBytes(file, await readFile(path.join(dir, file)));
        return { file, cached: { stamp, result } };
      }),
    );
    for (const { file, cached } of read) {
      next.set(file, cached);
      if ('file' in cached.result) sources.push(cached.result);
      else problems.push(...cached.result);
    }
    cache = next;
    return { sources, problems };
  };
}

async function listFiles(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.json'))
    .map(entry => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter(file => !file.startsWith('meta/') && !/(^|\/)\./.test(file))
    .sort();
}

/** A folder of which nothing is read. */
const refuseAll = (message: string): Loaded => ({ sources: [], problems: [plainProblem('.', message)] });

function plainProblem(file: string, message: string): Problem {
  return { file, line: 1, column: 1, severity: 'error', message };
}

/** Gives the line and column of an offset in a text. The lines are found once, at the first question. */
function createPlaces(text: string): (offset: number) => { line: number; column: number } {
  let starts: number[] | undefined;
  return offset => {
    if (!starts) {
      starts = [0];
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let [line, after] = [0, starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((starts[middle] as number) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (starts[line] as number) + 1 };
  };
}

/** Finds the part of a document at a pointer, or the nearest one around it. Looks at each object's names once. */
function createFinder(tree: JsonNode): (pointer: Pointer) => JsonNode {
  const known = new Map<JsonNode, Map<unknown, JsonNode>>();
  const propertiesOf = (object: JsonNode): Map<unknown, JsonNode> => {
    let properties = known.get(object);
    if (!properties) {
      properties = new Map(
        (object.children ?? []).flatMap(({ children: [name, value] = [] }) =>
          name && value ? [[name.value, value]] : [],
        ),
      );
      known.set(object, properties);
    }
    return properties;
  };
  return pointer => {
    let node = tree;
    for (const step of pointer) {
      const next = typeof step === 'number' ? node.children?.[step] : propertiesOf(node).get(step);
      if (!next) break;
      node = next;
    }
    return node;
  };
}

function parseBytes(file: string, bytes: Buffer): Source | readonly Problem[] {
  return isUtf8(bytes) ? parseSource(file, bytes.toString('utf8')) : [plainProblem(file, 'Not valid UTF-8.')];
}

/** By the parser's own name for the mistake. */
const words: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing before this',
  ColonExpected: 'a colon is missing before this',
  ValueExpected: 'a value is missing here, or a comma is too many',
  PropertyNameExpected: 'a name in double quotes is missing here, or a comma is too many',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'nothing may follow the end of the document',
  UnexpectedEndOfString: 'a text in double quotes does not end',
  InvalidCommentToken: 'comments are not allowed',
};
const wordsFor = ({ error }: ParseError): string => words[printParseErrorCode(error)] ?? 'this cannot be read';

/** Parses one file: strict JSON, no duplicate or dangerous keys, bounded depth, a known kind. */
export function parseSource(file: string, text: string): Source | readonly Problem[] {
  const errors: ParseError[] = [];
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const place = createPlaces(body);
  const at = (offset: number, message: string): Problem => ({
    file,
    ...place(offset),
    severity: 'error',
    message,
  });
  const deep = findTooDeep(body);
  if (deep !== undefined) return [at(deep, `Nested deeper than ${maximumDepth} levels.`)];
  const tree = parseTree(body, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first) return [at(first.offset, `Not valid JSON: ${wordsFor(first)}.`)];
  if (tree?.type !== 'object') return [at(0, 'Not a JSON object.')];
  const problems = checkTree(tree, at);
  if (problems.length > 0) return problems;
  const json = getNodeValue(tree) as Record<string, unknown>;
  const schema = typeof json.$schema === 'string' ? json.$schema : '';
  const kind = /(?:^|\/)([a-z]+)\.schema\.json$/.exec(schema)?.[1] ?? '';
  if (!Object.hasOwn(documentSchemas, kind)) {
    const known = Object.keys(documentSchemas);
    const line = tree.children?.find(property => property.children?.[0]?.value === '$schema') ?? tree.children?.[0];
    return [
      at(
        line?.offset ?? 0,
        `"$schema" must name a kind of document, such as "../meta/screen.schema.json" (${known.join(', ')}).${suggest(kind, known)}`,
      ),
    ];
  }
  const placeAt = createPlaceAt(body, place);
  return {
    file,
    hash: createHash('sha256').update(body).digest('base64url'),
    kind: kind as DocumentKind,
    json,
    problem: (pointer, message, severity = 'error') => ({ file, ...placeAt(pointer), severity, message }),
  };
}

/**
 * Gives the line and column of a part of a sound text. The tree by which they are found is ten times as large as the
 * text and seldom asked for: it is built at a question, and goes once the questions of that moment are answered.
 */
function createPlaceAt(text: string, place: ReturnType<typeof createPlaces>) {
  let last: WeakRef<ReturnType<typeof createFinder>> | undefined;
  return (pointer: Pointer): { line: number; column: number } => {
    let find = last?.deref();
    if (!find) {
      find = createFinder(parseTree(text) as JsonNode);
      last = new WeakRef(find);
    }
    const node = find(pointer);
    const own = node.parent?.type === 'property' ? node.parent : node;
    return place(own.offset);
  };
}

/** Offset of the first bracket that opens too deep; looked for before parsing, which follows nesting on the stack. */
function findTooDeep(text: string): number | undefined {
  let depth = -1;
  let quoted = false;
  for (let offset = 0; offset < text.length; offset++) {
    const sign = text[offset];
    if (quoted) {
      if (sign === '\\') offset++;
      else if (sign === '"' || sign === '\n') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '[' || sign === '{') {
      depth++;
      if (depth > maximumDepth) return offset;
    } else if (sign === ']' || sign === '}') depth--;
  }
  return undefined;
}

function checkTree(tree: JsonNode, at: (offset: number, message: string) => Problem): Problem[] {
  const problems: Problem[] = [];
  const visit = (node: JsonNode): void => {
    if (node.type === 'number' && !Number.isFinite(node.value))
      problems.push(at(node.offset, 'This number is too large.'));
    const seen = new Set<string>();
    for (const child of node.children ?? []) {
      if (node.type === 'object') {
        const key = child.children?.[0];
        const name = String(key?.value);
        if (dangerousNames.has(name)) problems.push(at(child.offset, `The name "${name}" is not allowed.`));
        if (seen.has(name)) problems.push(at(child.offset, `"${name}" stands here twice.`));
        seen.add(name);
        const value = child.children?.[1];
        if (value) visit(value);
      } else visit(child);
    }
  };
  visit(tree);
  return problems;
}
