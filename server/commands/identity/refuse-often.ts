import { PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import type { CommandContext } from '../command.ts';

/** Refuses what an address has tried too often, and records it. Throws TOO_MANY. */
export async function refuseOften({ caller, services }: CommandContext, action: string): Promise<never> {
  await services.audit({ action, outcome: 'refused', ...traceOf(caller), detail: { why: 'too many' } });
  throw new PortalError('TOO_MANY', { detail: action });
}
