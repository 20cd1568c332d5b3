import type { LongDocument, Pointer } from '../layouts/names/source.ts';
import type { Reference } from './references.ts';

/** Gives what stands at a place of a document; undefined where nothing does. */
export const valueAt = (json: unknown, at: Pointer): unknown =>
  at.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], json);

/** Gives a copy of a document with the value at a place replaced by what `change` makes of it. */
export function changedAt(json: unknown, at: Pointer, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return change(json);
  if (Array.isArray(json)) return json.map((item, index) => (index === step ? changedAt(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(json as object).map(([name, item]) => [name, name === step ? changedAt(item, rest, change) : item]),
  );
}

/** The document as it is written, whether or not it has short forms. */
export const writtenOf = ({ json, written }: LongDocument): unknown => written?.json ?? json;

/** A path without the Result that documents leave out. */
const shortPath = (text: string): string =>
  text.replace(
    /(^|\{)((?:data\.[a-z][A-Za-z0-9]*)|reply)\.(Result|Succeed|Errors?|Messages)(?=$|[.}])/g,
    (_, start, root, name) => (name === 'Result' ? `${start}${root}` : `${start}${root}.$${name}`),
  );

type WrittenPlace = Pick<Reference, 'at' | 'text' | 'isName'>;

/** Finds where a reference of the long form is written, as a text or name; undefined for one that is not written. */
export function writtenPlace(source: LongDocument, { at: long, text, isName }: Reference): WrittenPlace | undefined {
  const at = source.written?.at(long) ?? long;
  const around = valueAt(writtenOf(source), at.slice(0, -1)) as Readonly<Record<string, unknown>> | undefined;
  const [name, value] = [String(at.at(-1)), around?.[String(at.at(-1))]];
  const isThis = (one: unknown): one is string =>
    one === text || one === shortPath(text) || (typeof one === 'string' && text.endsWith(`.${one}`));
  if (isName !== true && isThis(value)) return { at, text: value };
  if (isThis(name) && value !== undefined) return { at, text: name, isName: true };
  return undefined;
}
