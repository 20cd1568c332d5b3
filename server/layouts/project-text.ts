import { open, type ReadPath, type Tree, treeOf } from './project.ts';

/**
 * Cuts a reply in its own text, without building it: the JSON of what the projection of the same paths gives. Undefined
 * for a text that is anything but plain (escapes, doubled or odd fields, long or odd numbers, a failure, no JSON at
 * all): such a reply is parsed and judged like any other. Most are plain, and a read costs half as much.
 */
export type TextProjection = (text: string) => string | undefined;

type Branch = { readonly leaf: boolean; readonly fields: readonly (readonly Field[] | undefined)[] };
type Field = {
  readonly name: string;
  /** Marks the field as met within its object. */
  readonly bit: number;
  readonly branch: Branch;
  /** The one value that the field may have in a plain reply. */
  readonly only?: 'true' | 'null';
};
/** `out` holds what is kept of the text before `from`. */
type Cutting = { readonly text: string; out: string; from: number; succeeded: boolean };

const mostFields = 31;
const deepest = 50;
/** Digits of a whole number that every reader takes alike. */
const mostDigits = 15;
const odd = -1;

const quote = 34;
const openBrace = 123;
const openBracket = 91;
const comma = 44;

const isContainer = (code: number): boolean => code === openBrace || code === openBracket;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Undefined where values have to be looked into: HTML, and fields that pass whole. */
function compile({ leaf, html, whole, children }: Tree, more: readonly Omit<Field, 'bit'>[] = []): Branch | undefined {
  const fields: Field[][] = [];
  if (html || whole || children.size + more.length > mostFields) return undefined;
  const named = new Set(more.map(({ name }) => name));
  const all: Omit<Field, 'bit'>[] = [...more];
  for (const [name, tree] of children) {
    const branch = compile(tree);
    if (!branch) return undefined;
    if (!named.has(name)) all.push({ name, branch });
  }
  all.forEach((field, index) => {
    const { length } = field.name;
    fields[length] = [...(fields[length] ?? []), { ...field, bit: 1 << index }];
  });
  return { leaf, fields: Array.from(fields) };
}

const anything: Branch = { leaf: true, fields: [] };
const nothing: Branch = { leaf: false, fields: [] };
const envelope = open.map(name =>
  name === 'Succeed'
    ? ({ name, branch: anything, only: 'true' } as const)
    : { name, branch: nothing, only: 'null' as const },
);

/** Made of the same paths as `createProjection`; undefined where these need more than cutting. */
export function createTextProjection(paths: readonly ReadPath[]): TextProjection | undefined {
  const root = compile(treeOf(paths), envelope);
  if (!root) return undefined;
  return text => {
    if (text.includes('\\')) return undefined;
    const cutting: Cutting = { text, out: '', from: 0, succeeded: false };
    const start = skipSpace(text, 0);
    if (text.charCodeAt(start) !== openBrace) return undefined;
    const end = passObject(cutting, start + 1, root, 0);
    if (end === odd || !cutting.succeeded || skipSpace(text, end) !== text.length) return undefined;
    return cutting.out + text.slice(cutting.from);
  };
}

/** Leaves out the text between two places. */
function leaveOut(cutting: Cutting, from: number, to: number): void {
  cutting.out += cutting.text.slice(cutting.from, from);
  cutting.from = to;
}

function skipSpace(text: string, at: number): number {
  for (let place = at; ; place++) {
    const code = text.charCodeAt(place);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return place;
  }
}

/** From behind the opening quote to the closing one; there are no escapes. */
function passString(text: string, at: number): number {
  for (let place = at; ; place++) {
    const code = text.charCodeAt(place);
    if (code === quote) return place;
    // Also the end of the text, where there is no code.
    if (!(code >= 32)) return odd;
  }
}

function passDigits(text: string, at: number): number {
  let place = at;
  while (isDigit(text.charCodeAt(place))) place++;
  return place;
}

function passNumber(text: string, at: number): number {
  const isNegative = text.charCodeAt(at) === 45;
  const start = isNegative ? at + 1 : at;
  let place = passDigits(text, start);
  const length = place - start;
  if (length === 0 || length > mostDigits || (text.charCodeAt(start) === 48 && (length > 1 || isNegative))) return odd;
  if (text.charCodeAt(place) === 46) {
    const fraction = place + 1;
    place = passDigits(text, fraction);
    if (place === fraction) return odd;
  }
  const next = text.charCodeAt(place);
  return next === 101 || next === 69 ? odd : place;
}

function passWord(text: string, at: number): number {
  if (text.startsWith('true', at) || text.startsWith('null', at)) return at + 4;
  return text.startsWith('false', at) ? at + 5 : odd;
}

/** Passes over one value, cutting what it holds to `branch`; without one it is only checked. Gives the place behind it. */
function passValue(cutting: Cutting, at: number, branch: Branch | undefined, depth: number): number {
  const { text } = cutting;
  const code = text.charCodeAt(at);
  if (code === quote) {
    const end = passString(text, at + 1);
    return end === odd ? odd : end + 1;
  }
  if (depth > deepest) return odd;
  if (code === openBrace) return passObject(cutting, at + 1, branch, depth + 1);
  if (code === openBracket) return passList(cutting, at + 1, branch, depth + 1);
  return isDigit(code) || code === 45 ? passNumber(text, at) : passWord(text, at);
}

function fieldAt({ fields }: Branch, text: string, from: number, to: number): Field | undefined {
  const candidates = fields[to - from];
  if (!candidates) return undefined;
  for (const field of candidates) {
    const { name } = field;
    let index = 0;
    while (index < name.length && text.charCodeAt(from + index) === name.charCodeAt(index)) index++;
    if (index === name.length) return field;
  }
  return undefined;
}

function passObject(cutting: Cutting, from: number, branch: Branch | undefined, depth: number): number {
  const { text } = cutting;
  let met = 0;
  // Behind the last field that is kept, and before the sign that parts it from the next.
  let keptTo = from;
  let parting = from;
  let isFirst = true;
  let isCut = false;
  let at = skipSpace(text, from);
  if (text.charCodeAt(at) === 125) return at + 1;
  for (;;) {
    const start = at;
    if (text.charCodeAt(at) !== quote) return odd;
    const end = passString(text, at + 1);
    if (end === odd) return odd;
    at = skipSpace(text, end + 1);
    if (text.charCodeAt(at) !== 58) return odd;
    at = skipSpace(text, at + 1);
    const field = branch && fieldAt(branch, text, start + 1, end);
    let kept: Branch | undefined;
    if (field) {
      if ((met & field.bit) !== 0) return odd;
      met |= field.bit;
      if (field.only !== undefined && !text.startsWith(field.only, at)) return odd;
      if (field.only === 'true') cutting.succeeded = true;
      if (field.branch.leaf || isContainer(text.charCodeAt(at))) kept = field.branch;
    }
    if (!kept) isCut = true;
    else if (isCut && branch) {
      leaveOut(cutting, keptTo, isFirst ? start : parting);
      isCut = false;
    }
    at = passValue(cutting, at, kept, depth);
    if (at === odd) return odd;
    if (kept) {
      keptTo = at;
      isFirst = false;
    }
    at = skipSpace(text, at);
    const code = text.charCodeAt(at);
    if (code === comma) {
      parting = at;
      at = skipSpace(text, at + 1);
    } else if (code === 125) {
      if (isCut && branch) leaveOut(cutting, keptTo, at);
      return at + 1;
    } else return odd;
  }
}

function passList(cutting: Cutting, from: number, branch: Branch | undefined, depth: number): number {
  const { text } = cutting;
  let keptTo = from;
  let parting = from;
  let isFirst = true;
  let isCut = false;
  let at = skipSpace(text, from);
  if (text.charCodeAt(at) === 93) return at + 1;
  for (;;) {
    const kept = branch && (branch.leaf || isContainer(text.charCodeAt(at))) ? branch : undefined;
    if (!kept) isCut = true;
    else if (isCut) {
      leaveOut(cutting, keptTo, isFirst ? at : parting);
      isCut = false;
    }
    at = passValue(cutting, at, kept, depth);
    if (at === odd) return odd;
    if (kept) {
      keptTo = at;
      isFirst = false;
    }
    at = skipSpace(text, at);
    const code = text.charCodeAt(at);
    if (code === comma) {
      parting = at;
      at = skipSpace(text, at + 1);
    } else if (code === 93) {
      if (isCut && branch) leaveOut(cutting, keptTo, at);
      return at + 1;
    } else return odd;
  }
}
