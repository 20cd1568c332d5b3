import type { FastifyRequest } from 'fastify';
import type { OpenedKey } from '../../cloud/api-keys.ts';
import type { Credentials } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { type ApiOperation, apiOperationsOf } from '../../operations/api-operations.ts';
import type { Caller } from '../../operations/caller.ts';
import { actorOf, readIdentity } from '../../session/identity.ts';
import type { RouteParts } from './route-dependencies.ts';

/** A program that calls by a key, in the name of its creator as that is now. */
export type KeyCaller = {
  readonly caller: Caller;
  /** The operations that the key was made for and that its creator may use today. */
  readonly operations: ReadonlyMap<string, ApiOperation>;
};

const shape = /^Bearer (portal_[A-Za-z0-9_-]{43})$/i;

/**
 * Creates the function that finds who calls by the key of a request: it asks the cloud about the key, and about what its
 * creator may do, anew for each call. An unknown key, one that is over and one from elsewhere are answered alike.
 * @throws {PortalError} that function: API_KEY_INVALID, TOO_MANY, and what the cloud makes of it
 */
export function createKeyCallerOf({
  services,
  layouts,
}: Pick<RouteParts, 'services' | 'layouts'>): (request: FastifyRequest) => Promise<KeyCaller> {
  /** Asks the cloud about a key. Those that were good before are not held up by what others of their network try. */
  async function openKey(key: string, address: string): Promise<OpenedKey> {
    const admission = await services.attempts.admitUnopenedKey(key, address);
    if (admission === 'locked') throw new PortalError('TOO_MANY', { detail: 'keys that are no good' });
    const opened = await services.apiKeys.open(key, address);
    if (!opened) {
      if (admission === 'known') await services.attempts.forgetKey(key);
      throw new PortalError('API_KEY_INVALID');
    }
    if (admission === 'unknown') await services.attempts.knowKey(key, address);
    return opened;
  }

  return async request => {
    const [, key] = shape.exec(request.headers.authorization ?? '') ?? [];
    // A text that is no key at all costs nothing to refuse.
    if (key === undefined) throw new PortalError('API_KEY_INVALID');
    const opened = await openKey(key, request.ip);
    const { keyId, userName, tokens } = opened;
    if (!(await services.attempts.admitKey(keyId))) throw new PortalError('TOO_MANY', { detail: `key ${keyId}` });
    let actor = userName;
    const credentials: Credentials = {
      get actor() {
        return actor;
      },
      address: request.ip,
      token: () => tokens.access,
      renew: () => Promise.reject(new PortalError('API_KEY_INVALID')),
      end: async () => undefined,
    };
    const { principal: found } = await readIdentity(services.accounts, credentials);
    actor = actorOf(found.facts, userName);
    const version = layouts.current();
    const principal = version.speakTo(found, request.headers['accept-language']);
    const access = version.access(principal);
    const caller: Caller = {
      session: { key: `api-key:${keyId}`, account: userName, principal, acting: {}, credentials },
      ...{ identifier: undefined, stage: undefined, trace: undefined },
      ...{ principal, version, access, address: request.ip, reference: request.id, device: `API key ${keyId}` },
    };
    const all = apiOperationsOf(caller);
    return { caller, operations: new Map([...all].filter(([name]) => opened.operations.has(name))) };
  };
}
