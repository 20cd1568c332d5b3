import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { DataSource, Layout } from '../../../shared/language/types.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import { readAddress, readRequest } from '../../../shared/rules/read-request.ts';
import { joins } from '../state/joins.ts';

/** Milliseconds for which a reply that came with a layout counts as just read. */
const freshness = 5000;
const replies = new Map<string, { readonly at: number; readonly envelope: Envelope }>();

/** Gives the address that a data source reads in this scope; undefined while it must not read. */
export function sourceAddress(source: DataSource, scope: Scope): string | undefined {
  const request = readRequest(source, scope, joins.get()?.keysToJoin);
  return request && readAddress(request);
}

/**
 * Caches the first replies that came with a layout (`data`, by the name of the source) under the addresses of its data
 * sources, so that the sources do not read them again. Drops replies that are no longer fresh.
 */
export function cacheInitialReplies(layout: Layout, scope: Scope, data: Readonly<Record<string, Envelope>>): void {
  const at = performance.now();
  for (const [address, reply] of replies) if (at - reply.at >= freshness) replies.delete(address);
  for (const [name, source] of Object.entries(layout.data ?? {})) {
    const envelope = data[name];
    const address = envelope && sourceAddress(source, { ...scope, data });
    if (address) replies.set(address, { at, envelope });
  }
}

/** Gives the fresh cached reply of an address, if there is one, and keeps it. */
export function readPrefetched(address: string | undefined): Envelope | undefined {
  const reply = address === undefined ? undefined : replies.get(address);
  return reply && performance.now() - reply.at < freshness ? reply.envelope : undefined;
}

/** Gives the fresh cached reply of an address, if there is one, and removes it: it stands for one read. */
export function takePrefetched(address: string): Envelope | undefined {
  const envelope = readPrefetched(address);
  replies.delete(address);
  return envelope;
}

/** Removes the cached reply of an address; without an address all of them, as after a write. */
export function forgetPrefetched(address?: string): void {
  if (address === undefined) replies.clear();
  else replies.delete(address);
}
