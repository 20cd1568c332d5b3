import type { Boot } from '../../shared/contract/boot.ts';
import type { Bindings, LayoutText } from '../../shared/language/types.ts';
import { type FormatName, formatValue } from '../../shared/rules/format.ts';
import type { Scope } from '../../shared/rules/path.ts';
import { interpolate, resolveText } from '../../shared/rules/text.ts';

/** How a boot speaks: in its caller's locale and currency, with its words. */
export type Speech = {
  /** One of the runtime's own words. */
  word(key: string, values?: Readonly<Record<string, unknown>>): string;
  /** A text of a layout with the values that its node binds. */
  text(text: LayoutText | undefined, values: Bindings | undefined, scope: Scope): string;
  /** A value written the product's way (document 2, section 9). */
  format(value: unknown, format: FormatName | undefined): string;
};

const made = new WeakMap<Boot, Speech>();

export function speechOf(boot: Boot): Speech {
  let speech = made.get(boot);
  if (!speech) {
    const { locale, currency } = boot.principal;
    const word: Speech['word'] = (key, values = {}) => interpolate(boot.words[key] ?? key, values, locale);
    const context = { locale, currency, words: { yes: word('yes'), no: word('no') } };
    const format: Speech['format'] = (value, name) => formatValue(value, name, context);
    speech = { word, format, text: (text, values, scope) => resolveText(text, values, scope, locale, format) };
    made.set(boot, speech);
  }
  return speech;
}
