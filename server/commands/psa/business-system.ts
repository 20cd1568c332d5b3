import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** As it may stand in an address: "connectwise", "ConnectWise" and "connect-wise" are the same. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Reads the business system that an address names (document 2, section 2, `/billing/psa/{service}`) from the list of
 * all. `Connected` is true when the caller's organisation uses it.
 * @throws {PortalError} NOT_FOUND for a name that no business system has
 */
export async function businessSystem(asked: PortalRequest) {
  const name = plain(String(asked.parameters.service ?? ''));
  const { response } = await ask(asked, 'psa.integrations');
  const found = response.find(one => plain(one.name) === name);
  if (!found) throw new PortalError('NOT_FOUND');
  const { name: Name, state: State, enabled: Enabled } = found;
  return { Name, State, Enabled, Connected: State !== 'unknown' };
}
