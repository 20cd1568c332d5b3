import type { Bindings, LayoutText } from '../language/types.ts';
import type { FormatName } from './format.ts';
import { bindAll, readPath, type Scope } from './path.ts';

const plurals = new Map<string, Intl.PluralRules>();

function pluralRules(locale: string): Intl.PluralRules {
  let rules = plurals.get(locale);
  if (!rules) {
    rules = new Intl.PluralRules(locale);
    plurals.set(locale, rules);
  }
  return rules;
}

/** How things are written where nothing else is configured. */
export const defaultLocale = 'en-GB';

/**
 * Fills the `{{name}}` of a text from values; a missing value becomes ''. A plural whose count is missing is '' as a
 * whole: what is not known is not none.
 */
export function interpolate(
  text: LayoutText | undefined,
  values: Readonly<Record<string, unknown>>,
  locale = defaultLocale,
): string {
  if (text === undefined) return '';
  if (typeof text !== 'string' && (values.count ?? '') === '') return '';
  const count = Number(values.count);
  // A form for none is there for every language.
  const chosen =
    typeof text === 'string'
      ? text
      : (count === 0 && text.zero) || (text[pluralRules(locale).select(count)] ?? text.other ?? '');
  if (!chosen.includes('{{')) return chosen;
  return chosen.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) return '';
    return typeof value === 'number' ? value.toLocaleString(locale) : String(value);
  });
}

/** Writes a value the product's way, for the caller's locale and currency. */
export type Write = (value: unknown, format: FormatName) => string;

/**
 * Gives a text with the values that its node binds, in the caller's locale; `write` writes values that have a format.
 */
export function resolveText(
  text: LayoutText | undefined,
  bindings: Bindings | undefined,
  scope: Scope,
  locale = readPath(scope, 'principal.locale') as string | undefined,
  write?: Write,
): string {
  if (typeof text === 'string' && !text.includes('{{')) return text;
  const values = bindAll(bindings, scope);
  for (const name in values) {
    const binding = bindings?.[name];
    if (write && typeof binding === 'object' && 'format' in binding) values[name] = write(values[name], binding.format);
  }
  return interpolate(text, values, locale);
}
