import { createHash } from 'node:crypto';
import type { Boot } from '../../../shared/contract/boot.ts';
import type { Principal } from '../../access/principal.ts';
import type { Access } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import { landingOf } from '../../operations/landing.ts';

/** JSON of a boot, and its hash. */
export type BootText = { readonly json: string; readonly bytes: Buffer; readonly hash: string };

/** The parts that all callers of one access share, and what was written for each of them. */
type Written = { readonly shared: string; readonly hash: string; readonly own: WeakMap<Principal, BootText> };

function writeShared(access: Access): Written {
  const routes: Boot['routes'] = access.patterns.flatMap(pattern => {
    const screen = access.screens.get(pattern);
    return screen ? [[pattern, screen.id, screen.hash] as const] : [];
  });
  const popups: Boot['popups'] = Object.fromEntries([...access.popups].map(([id, { hash }]) => [id, hash]));
  const navigation = access.navigation ? `"navigation":${access.navigation.bytes.toString('utf8')},` : '';
  const shared = `${navigation}"routes":${JSON.stringify(routes)},"popups":${JSON.stringify(popups)},"words":${JSON.stringify(access.words)}`;
  return { shared, hash: createHash('sha256').update(shared).digest('base64url'), own: new WeakMap() };
}

function writeOwn({ shared, hash }: Written, runtime: string, access: Access, principal: Principal): BootText {
  const landing = landingOf(access, principal);
  const head = JSON.stringify({ runtime, principal: principal.facts, landing });
  const own = createHash('sha256').update(hash).update(head).digest('base64url').slice(0, 22);
  const json = `{"hash":"${own}",${head.slice(1, -1)},${shared}}`;
  return { json, bytes: Buffer.from(json), hash: own };
}

/**
 * Creates the function that writes a caller's boot (the page's data on its user) as JSON and caches it. `runtime` names
 * the build of the browser code.
 */
export function createBootText(runtime: string): (caller: Pick<Caller, 'access' | 'principal'>) => BootText {
  const written = new WeakMap<Access, Written>();
  return ({ access, principal }) => {
    let shared = written.get(access);
    if (!shared) {
      shared = writeShared(access);
      written.set(access, shared);
    }
    let text = shared.own.get(principal);
    if (!text) {
      text = writeOwn(shared, runtime, access, principal);
      shared.own.set(principal, text);
    }
    return text;
  };
}
