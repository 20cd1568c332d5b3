import type { SaveEffect } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import type { Speech } from './speech.ts';

/** Milliseconds after which the address of a download is revoked (document 1, section 9). */
const revokeAfter = 1000;

function press(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}

/** Downloads the rows of a table, as its document shows them at an address of the portal. */
export function downloadTable(hash: string, table: string, address: string): void {
  press(`/ui/files/${hash}/${table}.csv?path=${encodeURIComponent(address)}`, '');
}

/** Has the browser save a text, which goes nowhere else. */
export function saveText({ name, text, values }: SaveEffect, scope: Scope, speech: Speech): void {
  const written = speech.text(text, values, scope);
  const href = URL.createObjectURL(new Blob([written], { type: 'text/plain;charset=utf-8' }));
  press(href, speech.text(name, undefined, scope));
  setTimeout(() => URL.revokeObjectURL(href), revokeAfter);
}
