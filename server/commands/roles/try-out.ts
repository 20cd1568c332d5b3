import { setImmediate } from 'node:timers/promises';
import { PortalError } from '../../errors.ts';
import { type Act, accessKey, type Outline, type Version } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Services } from '../../operations/services.ts';
import { type CloudRights, principalWith } from './role-rights.ts';

/** Whoever tries rights out. */
export type Trying = { readonly caller: Caller; readonly services: Services };
/** By key, what somebody could open and do. */
export type Acts = ReadonlyMap<string, Act>;

/**
 * Tells what rights come to in the documents as they are now, for somebody of a user type. Each takes the processor for
 * 10 to 20 ms: between two of them others are answered, and an account has so many a minute.
 * @throws {PortalError} TOO_MANY
 */
export async function tryOut(trying: Trying, userType: string, rights: CloudRights): Promise<Outline> {
  await takeTurn(trying, 'rightsTried');
  const { version, principal } = trying.caller;
  return version.outline(principalWith(principal, userType, rights));
}

/** Sets of rights of which it is remembered what they open, in one version of the documents. */
const remembered = 300;
const known = new WeakMap<Version, Map<string, Acts>>();

/**
 * Tells which screens and calls rights open in the documents as they are now, for somebody of a user type. It is worked
 * out once for each set of rights, however many people hold it: in 1 to 5 ms, one of the account's turns.
 * @throws {PortalError} TOO_MANY
 */
export async function tryActs(trying: Trying, userType: string, rights: CloudRights): Promise<Acts> {
  const { version, principal } = trying.caller;
  const subject = principalWith(principal, userType, rights);
  const key = accessKey(subject, subject.facts.locale);
  const all = known.get(version) ?? new Map<string, Acts>();
  known.set(version, all);
  let acts = all.get(key);
  if (acts) all.delete(key);
  else {
    await takeTurn(trying, 'actsTried');
    acts = version.acts(subject);
  }
  all.set(key, acts);
  if (all.size > remembered) all.delete(all.keys().next().value as string);
  return acts;
}

async function takeTurn({ caller, services }: Trying, rate: 'rightsTried' | 'actsTried'): Promise<void> {
  if (!services[rate].take(caller.session?.account ?? ''))
    throw new PortalError('TOO_MANY', { detail: 'rights tried out' });
  await setImmediate();
}
