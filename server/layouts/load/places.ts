import { type Node as JsonNode, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { dangerousNames } from '../names/dangerous-names.ts';
import type { Pointer } from '../names/source.ts';

// A document is read by JSON.parse, which is fast and knows no places. Here is what is only needed once something is wrong.

type LineAndColumn = { readonly line: number; readonly column: number };

/**
 * Makes functions that give the line and column of an offset or a JSON pointer in a document's text. The large tree for
 * pointers is built at the first question and dropped when that round of questions is over.
 */
export function createPlaces(text: string): {
  ofOffset(offset: number): LineAndColumn;
  ofPointer(pointer: Pointer): LineAndColumn;
} {
  const ofOffset = createLines(text);
  let last: WeakRef<ReturnType<typeof createFinder>> | undefined;
  return {
    ofOffset,
    ofPointer(pointer) {
      let find = last?.deref();
      if (!find) {
        find = createFinder(parseTree(text) as JsonNode);
        last = new WeakRef(find);
      }
      const node = find(pointer);
      const own = node.parent?.type === 'property' ? node.parent : node;
      return ofOffset(own.offset);
    },
  };
}

/** Gives the line and column of an offset in a text. The lines are found once, at the first question. */
function createLines(text: string): (offset: number) => LineAndColumn {
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

type Mistake = { readonly offset: number; readonly message: string };

/**
 * Lists what is wrong with a text as JSON: the first error that ends parsing, or all that strict JSON does not allow.
 */
export function findMistakes(text: string): readonly [Mistake, ...Mistake[]] {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error) return [{ offset: error.offset, message: `Not valid JSON: ${wordsFor(error)}.` }];
  if (tree?.type !== 'object') return [{ offset: 0, message: 'Not a JSON object.' }];
  const [first = { offset: 0, message: 'Not valid JSON: this cannot be read.' }, ...others] = notAllowedIn(tree);
  return [first, ...others];
}

function notAllowedIn(tree: JsonNode): Mistake[] {
  const mistakes: Mistake[] = [];
  const note = (offset: number, message: string): void => void mistakes.push({ offset, message });
  const visit = (node: JsonNode): void => {
    if (node.type === 'number' && !Number.isFinite(node.value)) note(node.offset, 'This number is too large.');
    const seen = new Set<string>();
    for (const child of node.children ?? []) {
      if (node.type === 'object') {
        const key = child.children?.[0];
        const name = String(key?.value);
        if (dangerousNames.has(name)) note(child.offset, `The name "${name}" is not allowed.`);
        if (seen.has(name)) note(child.offset, `"${name}" stands here twice.`);
        seen.add(name);
        const value = child.children?.[1];
        if (value) visit(value);
      } else visit(child);
    }
  };
  visit(tree);
  return mistakes;
}
