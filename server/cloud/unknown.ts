import type { Operation } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';

/** True for an operation that changes something; those that change nothing say so (`audit: false`) or are reads. */
export const acts = ({ method, audit }: Operation): boolean => method !== 'GET' && typeof audit === 'string';

/** Makes the error for a call that was sent and may have been carried out, but has no usable answer; `cause` is why. */
export function outcomeUnknown(cause: PortalError): PortalError {
  return new PortalError('OUTCOME_UNKNOWN', { cause, detail: cause.message });
}
