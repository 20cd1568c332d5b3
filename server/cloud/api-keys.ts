import { PortalError } from '../errors.ts';
import { readTokens, type Tokens } from './accounts.ts';
import type { Cloud } from './gate.ts';
import { readObject } from './outcome.ts';

/** A key that the cloud takes: in whose name it calls, and which operations it opens. */
export type OpenedKey = {
  readonly keyId: string;
  readonly userName: string;
  readonly tokens: Tokens;
  readonly operations: ReadonlySet<string>;
};

/** Asks the cloud about API keys; nothing of a key stays in the portal. */
export type ApiKeys = {
  /** Undefined where the cloud does not take the key from this address now, for whatever reason. */
  open(key: string, address: string): Promise<OpenedKey | undefined>;
};

/** Creates what asks the cloud's token endpoint about API keys (grant `api_key`). */
export function createApiKeys(cloud: Pick<Cloud, 'post'>, now: () => number): ApiKeys {
  return {
    async open(key, address) {
      const reply = await cloud.post('/auth/token', { grant_type: 'api_key', api_key: key }, address);
      if (reply.status === 400 || reply.status === 401) return undefined;
      if (reply.status !== 200) throw new PortalError('UPSTREAM_FAILED', { detail: `token endpoint ${reply.status}` });
      const wire = readObject(reply);
      const { keyId, operations } = (wire.apiKey ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof keyId !== 'string' || !Array.isArray(operations) || typeof wire.userName !== 'string')
        throw new PortalError('UPSTREAM_GARBLED', { detail: 'token reply of a key' });
      const names = operations.filter((name): name is string => typeof name === 'string');
      return { keyId, userName: wire.userName, tokens: readTokens(wire, now()), operations: new Set(names) };
    },
  };
}
