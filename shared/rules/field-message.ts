import type { Bindings, FieldNode, LayoutText } from '../language/types.ts';
import type { FormatName } from './format.ts';
import type { Scope } from './path.ts';
import { type FieldError, isFormatError } from './validation.ts';

/** How a message is put into words: in the browser and on the server by the texts of the caller's boot. */
export type MessageSpeech = {
  word(key: string, values: Readonly<Record<string, unknown>>): string;
  text(text: LayoutText, bindings: Bindings | undefined, scope: Scope): string;
  format(value: unknown, format: FormatName): string;
};

/**
 * Gives the message of a field (document 1, section 5), the one rule of browser and server: for a missing value the
 * field's `mandatoryMessage`, for a value that is not of its kind, pattern or required value its `invalidMessage`, and
 * otherwise `form.<code>` of the runtime's texts. Lengths and bounds have no message of the field's own: theirs say how
 * long, how much or until when. Nobody types a hidden value, and of an expression nobody knows what it takes: what is
 * wrong with such a value is said of it by its name (document 2, section 5, generic property check).
 */
export function fieldMessage(field: FieldNode, error: FieldError, scope: Scope, speech: MessageSpeech): string {
  const { code, values } = error;
  const isMissing = code === 'required' || code === 'checkbox';
  const own = isMissing ? field.mandatoryMessage : isFormatError(code) ? field.invalidMessage : undefined;
  if (own !== undefined) return speech.text(own, field.values, scope);
  const label = field.label === undefined ? '' : speech.text(field.label, field.values, scope);
  const shown = Object.entries(values ?? {}).map(([name, value]) => [
    name,
    name === 'first' || name === 'last'
      ? speech.format(value, field.kind === 'date-time' ? 'date-time' : 'date')
      : value,
  ]);
  return speech.word(wordOf(field, code, isMissing), {
    ...Object.fromEntries(shown),
    field: label || field.propertyName,
  });
}

/** Errors of a pattern or expression that say no more than that a value does not match it. */
const saysNoMore: ReadonlySet<string> = new Set(['invalid', 'alphanumeric', 'alphanumeric-with-spaces']);

/** True for a field with a pattern or expression of which no more can be said than that a value does not match it. */
export const isGeneral = ({ pattern, regex }: { readonly pattern?: unknown; readonly regex?: unknown }): boolean =>
  regex !== undefined || (typeof pattern === 'string' && saysNoMore.has(pattern));

function wordOf({ kind, ofOperation }: FieldNode, code: FieldError['code'], isMissing: boolean): string {
  if (isMissing) return kind === 'hidden' || ofOperation ? 'form.propertyInvalid' : `form.${code}`;
  const isOfProperty = kind === 'hidden' ? isFormatError(code) : ofOperation && saysNoMore.has(code);
  return isOfProperty ? 'form.propertyCharacters' : `form.${code}`;
}
