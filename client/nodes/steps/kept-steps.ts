import type { StepReply } from '../../../shared/contract/steps.ts';
import type { Portal } from '../../runtime/state/portal.ts';

type Values = Readonly<Record<string, unknown>>;
/** A step that was shown, what had been typed before it, and in it where it is shown again. */
export type Shown = { readonly reply: StepReply; readonly before: Values; readonly typed?: Values };

type Waiting = { readonly address: string; readonly identity: unknown; readonly path: readonly Shown[] };
const waiting = new WeakMap<Portal, Waiting>();

const identityOf = (portal: Portal): unknown => portal.boot.get().principal.identity;

/** Keeps in memory the steps of a wizard at an address, with what was typed, until the same user comes back there. */
export function keepSteps(portal: Portal, address: string, path: readonly Shown[], typed: Values): void {
  const all = path.map(({ reply, before }, index) => ({ reply, before, typed: path[index + 1]?.before ?? typed }));
  waiting.set(portal, { address, identity: identityOf(portal), path: all });
}

/** Gives the wizard steps that the same user kept at an address; undefined for none. */
export function readKeptSteps(portal: Portal, address: string): readonly Shown[] | undefined {
  const kept = waiting.get(portal);
  return kept?.address === address && kept.identity === identityOf(portal) ? kept.path : undefined;
}

/** Deletes the wizard steps kept for an address; steps that are kept for another address stay. */
export function forgetSteps(portal: Portal, address: string): void {
  if (waiting.get(portal)?.address === address) waiting.delete(portal);
}
