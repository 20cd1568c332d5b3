import type { FormStore } from '../state/form-types.ts';

/**
 * Takes into a form what stands in its typed inputs without an event having said so, as password managers leave it. Where
 * the browser hides what it filled until the page is touched, the input reads as empty and nothing is taken.
 */
export function takeFilled(element: HTMLFormElement | null, form: FormStore): void {
  for (const input of element?.querySelectorAll('input') ?? []) {
    const isTyped = input.type === 'text' || input.type === 'password' || input.type === 'email';
    if (isTyped && input.name && !input.readOnly && input.value !== '') form.set(input.name, input.value);
  }
}
