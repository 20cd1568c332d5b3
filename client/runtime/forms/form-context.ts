import { createContext, useContext, useLayoutEffect, useReducer } from 'react';
import type { Channel, FormStore } from '../state/form-types.ts';
import type { Scope } from '../state/scope.ts';
import type { Speech } from '../state/speech.ts';

/** A form and how its fields speak; one context, since every field needs both. */
export type FormSurroundings = { readonly form: FormStore; readonly speech: Speech };

export const FormContext = createContext<FormSurroundings | undefined>(undefined);

/** Gives the form that the component is inside of; undefined outside of every form. */
export function useForm(): FormStore | undefined {
  return useContext(FormContext)?.form;
}

const grow = (count: number): number => count + 1;

/**
 * Hook that draws the component again when the channel notifies. It does without useSyncExternalStore, which schedules
 * an effect with every change and costs a tenth of a keystroke; a form changes in events only, so nothing can tear.
 */
export function useChannel(channel: Channel | undefined): void {
  const [, draw] = useReducer(grow, 0);
  const drawn = channel?.version();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is that of the first drawing.
  useLayoutEffect(() => {
    if (channel?.version() !== drawn) draw();
    return channel?.subscribe(draw);
  }, [channel]);
}

/**
 * Hook that gives the scope with the named values of the surrounding form as `form`; draws again only when one changes.
 */
export function useFormScope(names: readonly string[], scope: Scope): Scope {
  const form = useForm();
  useChannel(form?.channel(names));
  return form ? withForm(form, names, scope) : scope;
}

/** Gives the scope with the named values of a form as `form`. */
export function withForm(form: FormStore, names: readonly string[], scope: Scope): Scope {
  const values: Record<string, unknown> = {};
  for (const name of names) values[name] = form.read(name);
  return { ...scope, form: values };
}

/** Gives one value of a form by its name (also `$changed`), as conditions read it, and follows it. */
export function useFormName(form: FormStore, name: string): unknown {
  useChannel(form.channel(name));
  return form.read(name);
}
