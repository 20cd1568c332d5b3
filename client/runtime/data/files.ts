import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { DownloadEffect, SaveEffect } from '../../../shared/language/types.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import type { Failure } from '../state/failure.ts';
import type { DownloadOutcome } from '../state/portal.ts';
import type { Speech } from '../state/speech.ts';
import type { Server } from './server.ts';

type DownloadParameters = Readonly<Record<string, unknown>>;
type ReadFile = Server['file'];

/** Milliseconds after which the address of a download is revoked (document 1, section 9). */
const revokeAfter = 1000;

/** Has the browser save a file whose content was made in the page; nothing is sent to a server. */
export function save(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), revokeAfter);
}

/** Has the browser save a text as a file (the effect `save`); nothing is sent to a server. */
export function saveText({ name, text, values }: SaveEffect, scope: Scope, speech: Speech): void {
  const written = speech.text(text, values, scope);
  save(new Blob([written], { type: 'text/plain;charset=utf-8' }), speech.text(name, undefined, scope));
}

/** Status of a link to a file that was used or came too late. */
const linkEnded = 410;

/** Asks for a link to a file of an operation, which is good for one fetch within a second, and fetches it. */
async function fetchByLink(operation: string | undefined, given: DownloadParameters, read: ReadFile) {
  const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const fetchOnce = async () => {
    const { body } = await read(`/ui/downloads/${operation}?${query}`, {});
    return await read(`/ui/downloads/${(body as Envelope<{ Guid: string }>).Result?.Guid}`);
  };
  try {
    return await fetchOnce();
  } catch (error) {
    // The page came too late, as over a slow line.
    if ((error as Partial<Failure>).status === linkEnded) return await fetchOnce();
    throw error;
  }
}

/** How a file is asked for. Whether a table is long enough to be made in the background is the portal's to find out. */
function askFor(hash: string, { table, as, operation }: DownloadEffect, given: DownloadParameters, read: ReadFile) {
  if (table !== undefined)
    return read(`/ui/files/${hash}/${table}.${as ?? 'csv'}`, {
      path: location.pathname + location.search,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  return fetchByLink(operation, given, read);
}

/** The name that the server gives a file (RFC 6266). */
const nameIn = (disposition: string | null): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')?.[1] ?? '');

/**
 * Has the browser save a file from the portal: the table shown (CSV, Excel) or a file that an operation gives. `hash`
 * is that of the layout; `read` asks the portal.
 */
export async function download(
  hash: string,
  effect: DownloadEffect,
  given: DownloadParameters,
  read: ReadFile,
): Promise<DownloadOutcome> {
  try {
    const { response, body } = await askFor(hash, effect, given, read);
    if (body) return { effects: (body as Envelope).effects ?? [] };
    save(await response.blob(), nameIn(response.headers.get('content-disposition')));
    return { effects: [] };
  } catch (error) {
    return { failure: (error as Failure).message, reference: (error as Failure).reference };
  }
}
