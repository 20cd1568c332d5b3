import type { Envelope } from '../../shared/contract/envelope.ts';
import type { DataSource, Layout } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import { readAddress, readRequest } from '../../shared/rules/read-request.ts';

/** How long a reply that came with a screen counts as just read, in milliseconds. */
const freshness = 5000;
const replies = new Map<string, { readonly at: number; readonly envelope: Envelope }>();

/** The address that a data source reads now, or undefined while it does not read. */
export function addressOf(source: DataSource, scope: Scope): string | undefined {
  const request = readRequest(source, scope);
  return request && readAddress(request);
}

/** Takes the first replies that came with a layout, by source name, so that they are not read again. */
export function keepArrived(layout: Layout, scope: Scope, data: Readonly<Record<string, Envelope>>): void {
  const at = performance.now();
  for (const [address, reply] of replies) if (at - reply.at >= freshness) replies.delete(address);
  for (const [name, source] of Object.entries(layout.data ?? {})) {
    const envelope = data[name];
    const address = envelope && addressOf(source, { ...scope, data });
    if (address) replies.set(address, { at, envelope });
  }
}

/** The reply that has just come for an address. */
export function arrivedAt(address: string | undefined): Envelope | undefined {
  const reply = address === undefined ? undefined : replies.get(address);
  return reply && performance.now() - reply.at < freshness ? reply.envelope : undefined;
}

/** Takes the reply that has just come for an address: it stands for one read. */
export function takeArrived(address: string): Envelope | undefined {
  const envelope = arrivedAt(address);
  replies.delete(address);
  return envelope;
}

/** What was read ahead may be stale: for one address, or since something was written for all. */
export function forgetArrived(address?: string): void {
  if (address === undefined) replies.clear();
  else replies.delete(address);
}
