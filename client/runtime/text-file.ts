import type { SaveEffect } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import type { Speech } from './speech.ts';

/** Milliseconds after which the address of a download is revoked (document 1, section 9). */
const revokeAfter = 1000;

/** Has the browser save a text, which goes nowhere else. */
export function saveText({ name, text, values }: SaveEffect, scope: Scope, speech: Speech): void {
  const written = speech.text(text, values, scope);
  const href = URL.createObjectURL(new Blob([written], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = href;
  link.download = speech.text(name, undefined, scope);
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), revokeAfter);
}
