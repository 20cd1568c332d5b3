import type { FieldNode, LayoutText } from '../../shared/language/types.ts';
import { readLines } from '../../shared/rules/read-lines.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { checkForm, type FieldError } from '../../shared/rules/validation.ts';
import { PortalError } from '../errors.ts';
import { builtInFieldMessage } from '../layouts/index.ts';
import { createPatternTest } from '../layouts/pattern.ts';
import type { Caller } from './caller.ts';

/** Gives the error message of a field, the same as in the browser (document 1, section 5). */
export function fieldMessage(
  field: FieldNode | undefined,
  error: FieldError,
  { access: { words }, principal }: Pick<Caller, 'access' | 'principal'>,
): string {
  const own =
    error.code === 'required' || error.code === 'checkbox'
      ? field?.mandatoryMessage
      : error.code === 'invalid' || error.code === 'requiredValue'
        ? field?.invalidMessage
        : undefined;
  const label = interpolate(field?.label ?? field?.propertyName ?? '', {});
  const text =
    own ??
    (words[`form.${error.code}`] as LayoutText | undefined) ??
    (words['form.invalid'] as LayoutText | undefined) ??
    builtInFieldMessage;
  return interpolate(text, { ...error.values, field: label }, principal.facts.locale);
}

/** The value as it goes on: a list is typed as lines, and sent as its entries. */
function sent(field: FieldNode | undefined, value: unknown): unknown {
  if (field?.kind !== 'list') return value;
  const { key, item } = field;
  const entries = readLines(value);
  return key === undefined ? entries : entries.map(entry => ({ [key]: entry, ...item }));
}

/** Values named `$…` are kept by the runtime; what a browser says they are counts for nothing. */
function withoutOwn(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('$')));
}

/**
 * Checks the values of a form by the rules that the browser ran, and gives those to send. `own` holds values named `$…`
 * that conditions read.
 * @throws {PortalError} FIELDS_INVALID with the messages by field
 */
export function checkBody(
  fields: readonly FieldNode[],
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  own: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const raw = { ...withoutOwn(given), ...own };
  const { values, errors } = checkForm(fields, raw, { principal: caller.principal.facts }, createPatternTest(), true);
  const wrong = Object.entries(errors);
  const byName = new Map(fields.map(field => [field.propertyName, field]));
  if (wrong.length === 0)
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sent(byName.get(name), value)]));
  const messages = wrong.map(([name, error]) => [name, [fieldMessage(byName.get(name), error, caller)]] as const);
  throw new PortalError('FIELDS_INVALID', {
    errors: Object.fromEntries(messages),
    detail: wrong
      .map(([name, error]) => `${name}: ${error.code}`)
      .join(', ')
      .slice(0, 500),
  });
}
