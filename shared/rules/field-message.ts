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
 * long, how much or until when. Nobody types a hidden value: what is wrong with it is said of the value by its name.
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

function wordOf({ kind }: FieldNode, code: FieldError['code'], isMissing: boolean): string {
  if (kind !== 'hidden') return `form.${code}`;
  if (isMissing) return 'form.propertyInvalid';
  return isFormatError(code) ? 'form.propertyCharacters' : `form.${code}`;
}
