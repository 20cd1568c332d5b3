import type { Bindings, Condition, LayoutText } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import type { FormatName } from '../../../shared/rules/format.ts';
import { bindAll, readPath, type Scope } from '../../../shared/rules/path.ts';
import { useSpeech } from './portal.ts';
import type { Speech } from './speech.ts';

export { useSpeech } from './portal.ts';

// What a node reads of its form is in its scope already (`drawNodes`), so that these need no subscription of their own.

/** Gives the value at a path of the scope; undefined for none. */
export function useValue(path: string | undefined, scope: Scope): unknown {
  return path === undefined ? undefined : readPath(scope, path);
}

/** Gives a text of a node with its bound values filled in; '' for no text. */
export function useText(text: LayoutText | undefined, values: Bindings | undefined, scope: Scope): string {
  return useSpeech().text(text, values, scope);
}

/** True while a value that a text binds from a data source is missing, so that the text would have a gap. */
export function lacksData(values: Bindings | undefined, scope: Scope): boolean {
  const bound = bindAll(values, scope);
  return Object.entries(values ?? {}).some(
    ([name, binding]) => !(name in bound) && JSON.stringify(binding).includes('"data.'),
  );
}

/** Hook for a condition (`when`) of a node: true when it is met, or there is none. */
export function useMet(condition: Condition | undefined, scope: Scope): boolean {
  return isMet(condition, scope);
}

/** Hook that gives `(key, values?) → string` for the runtime's own texts. */
export function useWords(): Speech['word'] {
  return useSpeech().word;
}

/** Hook that gives one of the runtime's own texts by its key. */
export function useWord(key: string, values?: Readonly<Record<string, unknown>>): string {
  return useSpeech().word(key, values);
}

export type Formatter = Speech['format'];

/** Gives `(value, format) → string` in the caller's locale and currency. */
export function useFormatter(): Formatter {
  return useSpeech().format;
}

/** Gives a value in a format, in the caller's locale and currency. */
export function useFormat(value: unknown, format: FormatName | undefined): string {
  return useSpeech().format(value, format);
}
