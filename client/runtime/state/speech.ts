import type { PageBoot } from '../../../shared/contract/boot.ts';
import type { Bindings, LayoutText } from '../../../shared/language/types.ts';
import { type FormatName, formatValue } from '../../../shared/rules/format.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import { interpolate, resolveText } from '../../../shared/rules/text.ts';

/** Texts and formats in the language and currency of a boot's caller. */
export type Speech = {
  /** A text of the runtime by its key, with values filled in; the key itself where there is no such text. */
  word(key: string, values?: Readonly<Record<string, unknown>>): string;
  /** A text of a layout with the values that its node binds. */
  text(text: LayoutText | undefined, values: Bindings | undefined, scope: Scope): string;
  /** A value in a format (date, currency …) of the product (document 2, section 9). */
  format(value: unknown, format: FormatName | undefined): string;
  /** The time zone that the caller has chosen; undefined: that of the browser. */
  readonly timeZone?: string | undefined;
};

const made = new WeakMap<PageBoot, Speech>();

/** Gives the texts and formats of a boot: the same object for the same boot. */
export function speechOf(boot: PageBoot): Speech {
  let speech = made.get(boot);
  if (!speech) {
    const { locale, currency, timeZone } = boot.principal;
    const word: Speech['word'] = (key, values = {}) => interpolate(boot.words[key] ?? key, values, locale);
    const context = { locale, currency, ...(timeZone && { timeZone }), words: { yes: word('yes'), no: word('no') } };
    const format: Speech['format'] = (value, name) => formatValue(value, name, context);
    speech = {
      word,
      format,
      timeZone,
      text: (text, values, scope) => resolveText(text, values, scope, locale, format),
    };
    made.set(boot, speech);
  }
  return speech;
}
