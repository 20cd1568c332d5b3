import { type FlatShape, joinRuns, learnShape } from './flat-shape.ts';
import {
  classes,
  classOf,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isContainer,
  odd,
  openBracket,
  passScalar,
  passString,
  quote,
  skipSpace,
  startsDecimal,
} from './plain-json.ts';

/** What is kept of the values of one place. */
export type Branch = {
  /** Classes of the values that it may have. */
  readonly accepts: number;
  /** By the length of their names. */
  readonly fields: readonly (readonly Field[] | undefined)[];
  /** Bits of the fields that must be there. */
  readonly required: number;
  /** Of a list, what its items are. */
  readonly item?: Branch;
  /** How its objects are written, as far as that has been learnt, and how often one was written otherwise. */
  shape?: FlatShape | undefined;
  lessons: number;
};
export type Field = {
  readonly name: string;
  /** Marks the field as met within its object. */
  readonly bit: number;
  /** Undefined for a field that is left out. */
  readonly branch: Branch | undefined;
  /** The one value that the field may have in a plain reply. */
  readonly only?: 'true' | 'null';
};
/** One reply on its way; `out` holds what is kept of the text before `from`. */
export type Cutting = { readonly text: string; out: string; from: number };

const deepest = 50;
/** Objects that are written in ever new ways are walked; patterns are made for those that are not. */
const mostLessons = 8;
const longestLesson = 16 * 1024;

/** Leaves out the text between two places. */
function leaveOut(cutting: Cutting, from: number, to: number): void {
  cutting.out += cutting.text.slice(cutting.from, from);
  cutting.from = to;
}

/** False for a string that is no amount of money, where one is to be. */
const isOfKind = (text: string, at: number, branch: Branch | undefined): boolean =>
  !branch || (branch.accepts & classes.decimal) === 0 || text.charCodeAt(at) !== quote || startsDecimal(text, at);

/** Passes over one value, cutting what it holds to `branch`; without one it is only checked. Gives the place behind it. */
function passValue(cutting: Cutting, at: number, branch: Branch | undefined, depth: number): number {
  const code = cutting.text.charCodeAt(at);
  if (!isContainer(code)) return isOfKind(cutting.text, at, branch) ? passScalar(cutting.text, at) : odd;
  if (depth > deepest) return odd;
  if (code === openBracket) return passList(cutting, at + 1, branch?.item, depth + 1);
  return branch ? passKnown(cutting, at, branch, depth) : passObject(cutting, at + 1, branch, depth + 1);
}

/** Passes over an object as the last ones of its place were written, or walks it and learns from it. */
function passKnown(cutting: Cutting, at: number, branch: Branch, depth: number): number {
  const { text } = cutting;
  const { shape } = branch;
  if (shape) {
    shape.pattern.lastIndex = at;
    const runs = shape.pattern.exec(text);
    if (runs) {
      const end = shape.pattern.lastIndex;
      if (!shape.isWhole) {
        leaveOut(cutting, at, end);
        cutting.out += joinRuns(runs);
      }
      return end;
    }
  }
  const end = passObject(cutting, at + 1, branch, depth + 1);
  if (end !== odd && branch.lessons < mostLessons && end - at < longestLesson) {
    branch.lessons += 1;
    branch.shape = learnShape(text.slice(at, end), name => fieldAt(branch, name, 0, name.length)?.branch?.accepts);
  }
  return end;
}

function fieldAt({ fields }: Branch, text: string, from: number, to: number): Field | undefined {
  const candidates = fields[to - from];
  if (candidates) for (const field of candidates) if (text.startsWith(field.name, from)) return field;
  return undefined;
}

/** What is kept of the members of one object or list, and where the commas between them are. */
type Seam = {
  /** Behind the last member that is kept. */
  keptTo: number;
  /** The comma in front of the next member. */
  parting: number;
  isFirst: boolean;
  isCut: boolean;
};

const openSeam = (from: number): Seam => ({ keptTo: from, parting: from, isFirst: true, isCut: false });

/** A member starts at `start`. */
function meet(cutting: Cutting, seam: Seam, start: number, isKept: boolean): void {
  if (!isKept) seam.isCut = true;
  else if (seam.isCut) {
    leaveOut(cutting, seam.keptTo, seam.isFirst ? start : seam.parting);
    seam.isCut = false;
  }
}

/**
 * Passes over the value of a member and the sign behind it. Gives the place of the next member; the one of the closing
 * sign, negative, where there is none (it never stands at 0 or 1); or `odd`.
 */
function passMember(
  cutting: Cutting,
  seam: Seam | undefined,
  at: number,
  kept: Branch | undefined,
  depth: number,
  close: number,
): number {
  const end = passValue(cutting, at, kept, depth);
  if (end === odd) return odd;
  if (seam && kept) {
    seam.keptTo = end;
    seam.isFirst = false;
  }
  const next = skipSpace(cutting.text, end);
  const code = cutting.text.charCodeAt(next);
  if (code === comma) {
    if (seam) seam.parting = next;
    return skipSpace(cutting.text, next + 1);
  }
  if (code !== close) return odd;
  if (seam?.isCut) leaveOut(cutting, seam.keptTo, next);
  return -next;
}

/**
 * Walks over the text of a JSON object from behind its brace, cutting out the fields that the contract does not keep.
 * Gives the position behind it, or `odd` for text that only the slow way can read.
 */
export function passObject(cutting: Cutting, from: number, branch: Branch | undefined, depth: number): number {
  const { text } = cutting;
  const seam = branch && openSeam(from);
  let met = 0;
  let at = skipSpace(text, from);
  if (text.charCodeAt(at) === closeBrace) return branch && branch.required !== 0 ? odd : at + 1;
  while (at > 0) {
    const end = text.charCodeAt(at) === quote ? passString(text, at + 1) : odd;
    if (end === odd) return odd;
    const sign = skipSpace(text, end + 1);
    if (text.charCodeAt(sign) !== colon) return odd;
    const value = skipSpace(text, sign + 1);
    const field = branch && fieldAt(branch, text, at + 1, end);
    if (field && ((met & field.bit) !== 0 || !isFit(text, field, value))) return odd;
    if (field) met |= field.bit;
    const kept = field?.branch;
    if (seam) meet(cutting, seam, at, kept !== undefined);
    at = passMember(cutting, seam, value, kept, depth, closeBrace);
  }
  if (at === odd || (branch && (met & branch.required) !== branch.required)) return odd;
  return 1 - at;
}

/** Whether a field is of a class that its contract names, and one of the envelope says what it says in a plain reply. */
function isFit(text: string, { only, branch }: Field, at: number): boolean {
  if (branch && (branch.accepts & classOf(text.charCodeAt(at))) === 0) return false;
  return only === undefined || text.startsWith(only, at);
}

/** Passes over a list from behind its bracket; every item is one that its contract allows. */
function passList(cutting: Cutting, from: number, item: Branch | undefined, depth: number): number {
  const { text } = cutting;
  let at = skipSpace(text, from);
  if (text.charCodeAt(at) === closeBracket) return at + 1;
  while (at > 0) {
    if (item && (item.accepts & classOf(text.charCodeAt(at))) === 0) return odd;
    at = passMember(cutting, undefined, at, item, depth, closeBracket);
  }
  return at === odd ? odd : 1 - at;
}
