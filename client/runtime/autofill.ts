import { type RefObject, useEffect } from 'react';
import type { FormStore } from './form-store.ts';

/** Milliseconds after opening at which a form looks for what the browser has filled in (document 1, section 9). */
const autofillDelay = 500;

/**
 * Takes into a form what stands in its typed inputs without an event having said so, as password managers leave it. Where
 * the browser hides what it filled until the page is touched, the input reads as empty and nothing is taken.
 */
export function takeFilled(element: HTMLFormElement | null, form: FormStore): void {
  for (const input of element?.querySelectorAll('input') ?? []) {
    const isTyped = input.type === 'text' || input.type === 'password' || input.type === 'email';
    if (
      isTyped &&
      input.name &&
      !input.readOnly &&
      input.value !== '' &&
      input.value !== String(form.value(input.name) ?? '')
    )
      form.set(input.name, input.value);
  }
}

/** Looks once, half a second after opening, for what the browser has filled into a form of the sign-in pages. */
export function useAutofill(element: RefObject<HTMLFormElement | null>, form: FormStore, isSignIn: boolean): void {
  useEffect(() => {
    if (!isSignIn) return;
    const timer = setTimeout(() => takeFilled(element.current, form), autofillDelay);
    return () => clearTimeout(timer);
  }, [element, form, isSignIn]);
}
