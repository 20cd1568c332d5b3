import { createHash } from 'node:crypto';
import type { Boot, Look } from '../../../shared/contract/boot.ts';
import type { NavigationLayout } from '../../../shared/language/types.ts';
import type { Principal } from '../../access/principal.ts';
import type { Access } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import { landingOf } from '../../operations/landing.ts';

/** A boot as a page carries it (`pageJson`) and as it is sent alone (`bytes`), its popups, and its hash. */
export type BootText = {
  readonly pageJson: string;
  readonly bytes: Buffer;
  readonly popups: Buffer;
  readonly hash: string;
};

/** The parts that all callers of one access share, and what was written for each of them. */
type Written = {
  readonly shared: string;
  readonly popups: Buffer;
  readonly hash: string;
  readonly own: WeakMap<Principal, BootText>;
};

/** The common part of all boots: the build of the browser code, and the label of the release that the footer ends with. */
type Build = { readonly runtime: string; readonly releaseLabel?: string | undefined };

const labelled = (text: string, { releaseLabel }: Build): string =>
  [text, releaseLabel].filter(part => part !== undefined && part !== '').join(' · ');

function writeNavigation({ navigation }: Access, build: Build): string {
  if (!navigation) return '';
  const layout = navigation.layout as NavigationLayout;
  const { copyright } = layout;
  const written =
    typeof copyright === 'string' && build.releaseLabel !== undefined
      ? JSON.stringify({ ...layout, copyright: labelled(copyright, build) })
      : navigation.bytes.toString('utf8');
  return `"navigation":${written},`;
}

function labelledLook(look: Look, build: Build): Look {
  return build.releaseLabel === undefined ? look : { ...look, footer: labelled(look.footer ?? look.name, build) };
}

function writeShared(access: Access, build: Build): Written {
  const routes: Boot['routes'] = access.patterns.flatMap(pattern => {
    const screen = access.screens.get(pattern);
    return screen ? [[pattern, screen.id, screen.hash] as const] : [];
  });
  const popups: Boot['popups'] = Object.fromEntries([...access.popups].map(([id, { hash }]) => [id, hash]));
  const shared = `${writeNavigation(access, build)}"routes":${JSON.stringify(routes)},"words":${JSON.stringify(access.words)}`;
  const written = { shared, popups: Buffer.from(JSON.stringify(popups)) };
  const hash = createHash('sha256').update(written.shared).update(written.popups).digest('base64url');
  return { ...written, hash, own: new WeakMap() };
}

function writeOwn({ shared, popups, hash }: Written, build: Build, access: Access, principal: Principal): BootText {
  const landing = landingOf(access, principal);
  const { runtime } = build;
  const { look } = principal.facts;
  const facts = look ? { ...principal.facts, look: labelledLook(look, build) } : principal.facts;
  const head = JSON.stringify({ runtime, principal: facts, landing });
  const own = createHash('sha256').update(hash).update(head).digest('base64url').slice(0, 22);
  const json = `"hash":"${own}",${head.slice(1, -1)},${shared}`;
  const bytes = Buffer.from(`{${json},"popups":${popups.toString()}}`);
  return { pageJson: `{${json}}`, bytes, popups, hash: own };
}

/**
 * Creates the function that writes a caller's boot (the page's data on its user) as JSON and caches it. `build` names
 * the browser code and the release.
 */
export function createBootText(build: Build): (caller: Pick<Caller, 'access' | 'principal'>) => BootText {
  const written = new WeakMap<Access, Written>();
  return ({ access, principal }) => {
    let shared = written.get(access);
    if (!shared) {
      shared = writeShared(access, build);
      written.set(access, shared);
    }
    let text = shared.own.get(principal);
    if (!text) {
      text = writeOwn(shared, build, access, principal);
      shared.own.set(principal, text);
    }
    return text;
  };
}
