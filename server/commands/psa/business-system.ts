import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';

/** As it may stand in an address: "connectwise", "ConnectWise" and "connect-wise" are the same. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Reads the business system that an address names (document 2, section 2, `/billing/psa/{service}`) from the list of
 * all, by its id or name. `Connected` is true when the caller's organisation uses it. For what names none it gives the
 * names of those that there are (`Known`).
 */
export async function businessSystem(asked: PortalRequest) {
  const wanted = String(asked.parameters.service ?? '');
  const { response } = await ask(asked, 'psa.integrations');
  const found = response.find(({ id, name }) => String(id) === wanted || plain(name) === plain(wanted));
  if (!found) return { Known: response.map(({ name }) => name).join(', ') };
  const { name: Name, state: State, enabled: Enabled } = found;
  return { Name, State, Enabled, Connected: State !== 'unknown' };
}
