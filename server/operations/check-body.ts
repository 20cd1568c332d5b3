import type { FieldNode, LayoutText } from '../../shared/language/types.ts';
import { fieldMessage, type MessageSpeech } from '../../shared/rules/field-message.ts';
import { formatValue } from '../../shared/rules/format.ts';
import { readLines } from '../../shared/rules/read-lines.ts';
import { interpolate, resolveText } from '../../shared/rules/text.ts';
import { checkForm, type FieldError } from '../../shared/rules/validation.ts';
import { formatContextOf } from '../access/format-context.ts';
import { PortalError } from '../errors.ts';
import { builtInFieldMessage } from '../layouts/index.ts';
import { createPatternTest } from '../layouts/names/pattern.ts';
import type { Caller } from './caller.ts';

/** Gives the texts and formats in which error messages of fields are written for a caller. */
export function speechFor({ access: { words }, principal }: Pick<Caller, 'access' | 'principal'>): MessageSpeech {
  const { locale } = principal.facts;
  const context = formatContextOf(principal);
  const format: MessageSpeech['format'] = (value, name) => formatValue(value, name, context);
  return {
    word(key, values) {
      const text = (words[key] ?? words['form.invalid'] ?? builtInFieldMessage) as LayoutText;
      return interpolate(text, values, locale);
    },
    text: (text, bindings, scope) => resolveText(text, bindings, scope, locale, format),
    format,
  };
}

/** Words an error found in a field's value, as the browser does; `field` is undefined where no field has the name. */
export function messageOf(
  field: FieldNode | undefined,
  propertyName: string,
  error: FieldError,
  caller: Pick<Caller, 'access' | 'principal'>,
  values: Readonly<Record<string, unknown>> = {},
): string {
  const scope = { principal: caller.principal.facts, form: values };
  return fieldMessage(field ?? { type: 'field', kind: 'text', propertyName }, error, scope, speechFor(caller));
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
  const messages = wrong.map(([name, error]) => [name, [messageOf(byName.get(name), name, error, caller, raw)]]);
  throw new PortalError('FIELDS_INVALID', {
    errors: Object.fromEntries(messages),
    detail: wrong
      .map(([name, error]) => `${name}: ${error.code}`)
      .join(', ')
      .slice(0, 500),
  });
}
