import type { DownloadEffect, SaveEffect } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import type { Speech } from './speech.ts';

type DownloadParameters = Readonly<Record<string, unknown>>;

/** Milliseconds after which the address of a download is revoked (document 1, section 9). */
const revokeAfter = 1000;

/** Has the browser save a file that was made here; it is sent nowhere. */
export function save(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), revokeAfter);
}

/** Has the browser save a text as a file; it is sent nowhere. */
export function saveText({ name, text, values }: SaveEffect, scope: Scope, speech: Speech): void {
  const written = speech.text(text, values, scope);
  save(new Blob([written], { type: 'text/plain;charset=utf-8' }), speech.text(name, undefined, scope));
}

function addressOf(hash: string, { table, as, operation }: DownloadEffect, given: DownloadParameters): string {
  if (table !== undefined)
    return `/ui/files/${hash}/${table}.${as ?? 'csv'}?${new URLSearchParams({ path: location.pathname + location.search })}`;
  const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
  return `/ui/downloads/${operation}?${query}`;
}

/** The name that the server gives a file (RFC 6266). */
const nameIn = (disposition: string | null): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1] ?? '');

/**
 * Has the browser save a file of the portal, a table of the screen shown or what an operation gives, and gives what to
 * say when there is none. `hash` is that of the layout; `read` asks the portal.
 */
export async function download(
  hash: string,
  effect: DownloadEffect,
  given: DownloadParameters,
  read: (address: string) => Promise<Response>,
): Promise<string | undefined> {
  try {
    const reply = await read(addressOf(hash, effect, given));
    save(await reply.blob(), nameIn(reply.headers.get('content-disposition')));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
