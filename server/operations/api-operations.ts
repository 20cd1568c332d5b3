import type { Operation } from '../../shared/language/types.ts';
import type { Access, Capability } from '../layouts/index.ts';
import type { Caller } from './caller.ts';

/** An operation that a key can open: how it is asked for, and what its creator may do with it. */
export type ApiOperation = {
  readonly name: string;
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly capability: Capability;
};

/** Calls of the cloud. What takes files, forms of providers and keys themselves are for people alone. */
const isForKeys = (name: string, { service, upload, hostedPage }: Operation): boolean =>
  service === 'cloud' &&
  !upload &&
  hostedPage === undefined &&
  !/^(?:manageApi|integration|ipAccess|sessions|staff|roles|approvals)\./.test(name);

/** The calls that a key of this caller could open: those that the caller's own layouts make, and no others. */
export function apiOperationsOf({
  access,
  version,
}: {
  readonly access: Pick<Access, 'reads' | 'files' | 'writes'>;
  readonly version: Pick<Caller['version'], 'operations'>;
}): ReadonlyMap<string, ApiOperation> {
  const found = new Map<string, ApiOperation>();
  const add = (method: ApiOperation['method'], capabilities: ReadonlyMap<string, Capability>): void => {
    for (const [name, capability] of capabilities) {
      const operation = version.operations.get(name);
      if (operation && isForKeys(name, operation)) found.set(name, { name, operation, method, capability });
    }
  };
  add('GET', access.reads);
  add('GET', access.files);
  add('POST', access.writes);
  return found;
}
