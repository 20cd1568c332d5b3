import type { PatternName } from '../language/patterns.ts';
import type { Condition, FieldNode } from '../language/types.ts';
import { comparisonNames, isMet } from './condition.ts';
import { hasHidden } from './hidden-characters.ts';
import { namedPatterns } from './named-patterns.ts';
import { parsePath, type Scope } from './path.ts';

/**
 * The rules of a form's fields, run in the browser while typing and on the server before anything is forwarded
 * (document 1, section 5; document 2, section 5). What they give is what is sent.
 */

/** What is wrong with one value: a code of the runtime's words (`form.<code>`) and what it interpolates. */
export type FieldError = { readonly code: FieldErrorCode; readonly values?: Readonly<Record<string, string | number>> };
export type FieldErrorCode =
  | FormatErrorCode
  | 'required'
  | 'checkbox'
  | 'hidden'
  | 'minLength'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'days'
  | 'firstDay'
  | 'lastDay'
  | 'option'
  | 'type'
  | 'unknown'
  | 'readOnly';

/** The value is not of its kind, pattern or required value: what the field's `invalidMessage` says in its own words. */
type FormatErrorCode = PatternName | 'number' | MomentKind | 'invalid' | 'requiredValue';
type MomentKind = 'date' | 'date-time';
const otherFormats: ReadonlySet<FieldErrorCode> = new Set(['number', 'date', 'date-time', 'invalid', 'requiredValue']);

/**
 * True for the code of a validation error that says a value has the wrong format, such as a malformed e-mail address.
 */
export const isFormatError = (code: FieldErrorCode): code is FormatErrorCode =>
  otherFormats.has(code) || Object.hasOwn(namedPatterns, code);

/** Tests a pattern; on the server with bounded time, where running out of it counts as not matching. */
export type PatternTest = (pattern: string, value: string) => boolean;

const longest = 10_000;

/** A number as people write it. JavaScript takes more for one, such as "1e2" and "0x1F". */
const plainNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Gives a field's value as it is sent: text of a number field becomes a number, a one-time code loses the space in it;
 * all else stays byte-exact. Text that is no number as people write it, or does not match the field's named pattern,
 * stays text, so that it is refused as it was typed.
 */
export function normaliseValue({ kind, pattern }: Pick<FieldNode, 'kind' | 'pattern'>, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (kind === 'one-time-code') return value.replace(/\s/g, '');
  if (kind !== 'number') return value;
  if (value === '') return undefined;
  const text = value.trim();
  const isMeant = plainNumber.test(text) && (pattern === undefined || namedPatterns[pattern](text));
  return isMeant && Number.isFinite(Number(text)) ? Number(text) : value;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Blanks are no answer to a field that needs one, but a value like any other elsewhere; in a password they count. */
const isBlank = (field: FieldNode, value: unknown): boolean =>
  typeof value === 'string' && field.kind !== 'password' && value.trim() === '';

function checkText(field: FieldNode, value: string, test: PatternTest): FieldError | undefined {
  const maximum = field.maxLength ?? longest;
  // Characters are counted, of which there are never more than units: most values need no counting.
  if (value.length > maximum && [...value].length > maximum) return { code: 'maxLength', values: { count: maximum } };
  if (field.minLength !== undefined && [...value].length < field.minLength)
    return { code: 'minLength', values: { count: field.minLength } };
  const unmet = findUnmet(field, value, test);
  if (unmet) return { code: unmet };
  // Other kinds have patterns, or may have lines.
  if (field.kind === 'text' && hasHidden(value)) return { code: 'hidden' };
  return isMoment(field.kind) ? checkBounds(field, value) : undefined;
}

/** The first rule for its form that a value does not meet: its named pattern, its kind, its expression. */
function findUnmet(field: FieldNode, value: string | number, test: PatternTest): FormatErrorCode | undefined {
  const { kind, pattern, regex } = field;
  const text = String(value);
  if (pattern !== undefined && !namedPatterns[pattern](text)) return pattern;
  if ((kind === 'email' || kind === 'phone') && !namedPatterns[kind](text)) return kind;
  if (kind === 'number' && !Number.isFinite(value)) return 'number';
  if (isMoment(kind) && !isWritten(kind, text)) return kind;
  return regex !== undefined && !test(regex, text) ? 'invalid' : undefined;
}

function checkBounds({ min, max }: FieldNode, value: string): FieldError | undefined {
  const at = Date.parse(value);
  // A bound that there is not is no number, and nothing is less or more than that.
  if (!(at < Date.parse(String(min)) || at > Date.parse(String(max)))) return undefined;
  if (min !== undefined && max !== undefined) return { code: 'days', values: { first: min, last: max } };
  return min !== undefined
    ? { code: 'firstDay', values: { first: min } }
    : { code: 'lastDay', values: { last: max as string } };
}

const isMoment = (kind: string): kind is MomentKind => kind.startsWith('date');

/** True for a day that there is, or a moment of one in UTC (RFC 3339) on a quarter of an hour: so is every time zone. */
function isWritten(kind: MomentKind, value: string): boolean {
  const at = Date.parse(value);
  const written = Number.isNaN(at) ? '' : new Date(at).toISOString();
  // Years of more digits have a sign before them.
  if (value[4] !== '-') return false;
  return value === (kind === 'date' ? written.slice(0, 10) : written.replace('.000', '')) && at % 900_000 === 0;
}

/** Validates one normalised value by the rules of its field; gives the error, or undefined when it is valid. */
export function checkValue(field: FieldNode, value: unknown, test: PatternTest): FieldError | undefined {
  if (field.kind === 'checkbox' || field.kind === 'switch') {
    if (value !== undefined && value !== null && typeof value !== 'boolean') return { code: 'type' };
    if (field.mandatory && value !== true) return { code: 'checkbox' };
    return field.requiredValue !== undefined && (value ?? false) !== field.requiredValue
      ? { code: 'requiredValue' }
      : undefined;
  }
  if (field.mandatory && (isEmpty(value) || isBlank(field, value))) return { code: 'required' };
  if (isEmpty(value)) {
    return field.requiredValue !== undefined && field.requiredValue !== '' ? { code: 'requiredValue' } : undefined;
  }
  if (field.requiredValue !== undefined && value !== field.requiredValue) return { code: 'requiredValue' };
  const options = field.options ?? field.catalogue;
  if (options) return options.some(option => option.value === value) ? undefined : { code: 'option' };
  if (field.kind === 'number') {
    // Text that is no number is told by its pattern where it has one; what is neither has no text to test.
    if (typeof value !== 'number' && typeof value !== 'string') return { code: 'number' };
    const unmet = findUnmet(field, value, test);
    if (unmet) return { code: unmet };
    if (field.min !== undefined && Number(value) < Number(field.min))
      return { code: 'min', values: { count: field.min } };
    if (field.max !== undefined && Number(value) > Number(field.max))
      return { code: 'max', values: { count: field.max } };
    return undefined;
  }
  if (field.kind === 'hidden' && typeof value !== 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? undefined : { code: 'type' };
  return typeof value === 'string' ? checkText(field, value, test) : { code: 'type' };
}

/** True for a field whose value is never sent, whatever the page holds. */
export function isShownOnly(field: Pick<FieldNode, 'kind' | 'readOnly'>): boolean {
  return field.kind === 'display' || field.readOnly === true;
}

type Conditional = Pick<FieldNode, 'propertyName' | 'kind' | 'pattern' | 'readOnly'> & {
  readonly when?: Condition;
  readonly disabledWhen?: Condition;
};

/** Names of `form.…` that a condition reads. */
function namesRead(condition: Condition | undefined): string[] {
  if (!condition) return [];
  const paths = [condition.path, ...comparisonNames.map(name => condition[name])];
  const own = paths.flatMap(path => {
    const [head, name] = parsePath(path ?? '');
    return head === 'form' && name !== undefined ? [name] : [];
  });
  const parts = [condition.not, ...(condition.all ?? []), ...(condition.any ?? [])];
  return [...own, ...parts.flatMap(namesRead)];
}

/**
 * Lists the fields that are shown and enabled. Conditions read only values of such fields, as they are sent, so that
 * browser and server agree. Fields are evaluated after those that they read; in a ring one counts as absent, always the
 * same.
 */
export function activeFields<F extends Conditional>(
  fields: readonly F[],
  values: Readonly<Record<string, unknown>>,
  scope: Scope,
): F[] {
  if (!fields.some(field => field.when || field.disabledWhen)) return [...fields];
  const form: Record<string, unknown> = Object.create(null);
  for (const name in values) if (name.startsWith('$')) form[name] = values[name];
  const inner = { ...scope, form };
  const evaluated = new Map<F, boolean>();
  const evaluate = (field: F): void => {
    if (evaluated.has(field)) return;
    evaluated.set(field, false);
    const names = new Set([...namesRead(field.when), ...namesRead(field.disabledWhen)]);
    for (const other of names.size === 0 ? [] : fields) if (names.has(other.propertyName)) evaluate(other);
    const active = isMet(field.when, inner) && !(field.disabledWhen && isMet(field.disabledWhen, inner));
    evaluated.set(field, active);
    if (active && !isShownOnly(field) && Object.hasOwn(values, field.propertyName))
      form[field.propertyName] = normaliseValue(field, values[field.propertyName]);
  };
  for (const field of fields) evaluate(field);
  return fields.filter(field => evaluated.get(field));
}

export type FormResult = {
  /** What is sent: normalised values of the active fields, nothing else. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, FieldError>>;
};

/** What conditions read of the form itself; it is known on both sides and never sent. */
const facts: ReadonlySet<string> = new Set(['$changed', '$failures']);

/** Validates the values of a whole form. `strict` (the server) refuses names that no active field has. */
export function checkForm(
  fields: readonly FieldNode[],
  raw: Readonly<Record<string, unknown>>,
  scope: Scope,
  test: PatternTest,
  strict = false,
): FormResult {
  const values: Record<string, unknown> = {};
  // By name, since a request may name anything, `__proto__` too.
  const errors = new Map<string, FieldError>();
  const active = activeFields(fields, raw, scope);
  for (const field of active) {
    if (isShownOnly(field)) continue;
    const value = normaliseValue(field, Object.hasOwn(raw, field.propertyName) ? raw[field.propertyName] : undefined);
    const error = checkValue(field, value, test);
    if (error) errors.set(field.propertyName, error);
    else if (value !== undefined) values[field.propertyName] = value;
  }
  if (strict) {
    const known = new Map(active.map(field => [field.propertyName, field]));
    for (const name of Object.keys(raw)) {
      if (facts.has(name)) continue;
      const field = known.get(name);
      if (!field) errors.set(name, { code: 'unknown' });
      else if (isShownOnly(field)) errors.set(name, { code: 'readOnly' });
    }
  }
  return { values, errors: Object.fromEntries(errors) };
}
