import type { ReplyEffect } from '../../shared/contract/envelope.ts';
import type { Caller } from './caller.ts';

/** Data that the caller's pages must read again after an operation. */
export function staleAfter({ version, access }: Caller, name: string): ReplyEffect[] {
  const operations = (version.operations.get(name)?.refreshes ?? []).filter(read => access.reads.has(read));
  return operations.length > 0 ? [{ do: 'refresh-operations', operations }] : [];
}
