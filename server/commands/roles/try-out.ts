import { setImmediate } from 'node:timers/promises';
import { PortalError } from '../../errors.ts';
import type { Outline } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Services } from '../../operations/services.ts';
import { type CloudRights, principalWith } from './role-rights.ts';

/**
 * Tells what rights come to in the documents as they are now, for somebody of a user type. Each takes the processor for
 * 10 to 20 ms: between two of them others are answered, and an account has so many a minute.
 * @throws {PortalError} TOO_MANY
 */
export async function tryOut(
  { caller, services }: { readonly caller: Caller; readonly services: Services },
  userType: string,
  rights: CloudRights,
): Promise<Outline> {
  if (!services.rightsTried.take(caller.session?.account ?? ''))
    throw new PortalError('TOO_MANY', { detail: 'rights tried out' });
  await setImmediate();
  return caller.version.outline(principalWith(caller.principal, userType, rights));
}
