import type { ReplyEffect } from '../../shared/contract/envelope.ts';
import type { Caller } from './caller.ts';

/** Gives the effect that reads again what an operation makes stale (`refreshes`), as far as the caller may read it. */
export function staleAfter({ version, access }: Caller, name: string): ReplyEffect[] {
  const operations = (version.operations.get(name)?.refreshes ?? []).filter(read => access.reads.has(read));
  return operations.length > 0 ? [{ do: 'refresh-operations', operations }] : [];
}
