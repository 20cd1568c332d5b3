import type { Operation } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import type { CloudReply, Credentials } from './call.ts';
import type { Cloud } from './gate.ts';

/** What somebody gives once more: the password, and a code of the app or a recovery code. */
export type Proof = { readonly Password?: string; readonly Code?: string; readonly RecoveryCode?: string };

export type SecondFactorState = {
  /** False for accounts whose second factor is a provider's. */
  readonly available: boolean;
  readonly enabled: boolean;
  /** True where the account cannot do without. */
  readonly required: boolean;
  /** Recovery codes that are left; absent where the cloud has none at all. */
  readonly recoveryCodes?: number;
};

/**
 * The calls about the caller's own second factor (document 1, section 7; recovery codes are an addition to it). A
 * refusal names the field of the proof that was wrong. Each throws a PortalError when the cloud does not answer.
 */
export type SecondFactors = {
  read(credentials: Credentials): Promise<SecondFactorState>;
  /** Result: `manualEntryKey`. */
  setUp(credentials: Credentials, proof: Proof): Promise<CloudReply>;
  /** Result: `recoveryCodes`. */
  configure(credentials: Credentials, proof: Proof & { readonly Key: string }): Promise<CloudReply>;
  disable(credentials: Credentials, proof: Proof): Promise<CloudReply>;
  /** Result: `recoveryCodes`. */
  renewCodes(credentials: Credentials, proof: Proof): Promise<CloudReply>;
};

const at = (method: 'POST' | 'PUT', path: string): Operation => ({
  service: 'cloud',
  method,
  path: `/api/mfa/${path}`,
});
const calls = {
  read: at('POST', 'is-enabled'),
  setUp: at('POST', 'setup'),
  configure: at('PUT', 'configure'),
  disable: at('PUT', 'disable'),
  renewCodes: at('POST', 'recovery-codes'),
} as const satisfies Record<keyof SecondFactors, Operation>;

/**
 * Creates the client for a user's second factor at the cloud: read its state, set it up, confirm, switch off, new
 * codes.
 */
export function createSecondFactors(cloud: Cloud): SecondFactors {
  const call = (operation: Operation) => (credentials: Credentials, body: Proof) =>
    cloud.call({ operation, parameters: {}, body, credentials });
  return {
    async read(credentials) {
      const { envelope } = await call(calls.read)(credentials, {});
      const { available, enabled, required, recoveryCodes } = (envelope.Result ?? {}) as Partial<SecondFactorState>;
      if (!envelope.Succeed || typeof enabled !== 'boolean')
        throw new PortalError('UPSTREAM_GARBLED', { detail: 'state of the second factor' });
      return {
        available: available !== false,
        enabled,
        required: required === true,
        ...(typeof recoveryCodes === 'number' && { recoveryCodes }),
      };
    },
    setUp: call(calls.setUp),
    configure: call(calls.configure),
    disable: call(calls.disable),
    renewCodes: call(calls.renewCodes),
  };
}
