import { PortalError } from '../../errors.ts';
import type { Services } from '../../operations/services.ts';
import type { AuditRecord } from '../../store/audit.ts';

/** The account, person and device that act, as records of the audit have them. */
export type Trace = Pick<AuditRecord, 'account' | 'actor' | 'address' | 'device'>;

/** Refuses what an address has tried too often, and records it. Throws TOO_MANY. */
export async function refuseOften({ audit }: Pick<Services, 'audit'>, trace: Trace, action: string): Promise<never> {
  await audit({ action, outcome: 'refused', ...trace, detail: { why: 'too many' } });
  throw new PortalError('TOO_MANY', { detail: action });
}
