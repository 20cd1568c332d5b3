import { useState } from 'react';
import type { Effect } from '../../../shared/language/types.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import { useForm } from '../forms/form-context.ts';
import { useDocument } from '../state/document-scope.tsx';
import type { FormStore } from '../state/form-types.ts';
import { usePortalObject } from '../state/portal.ts';
import type { Press, PressOutcome } from './press.ts';
import { runEffects } from './run-effects.ts';

type Values = Readonly<Record<string, unknown>>;

/** The functions of a run stay the same for as long as its component lives. */
export type Run = {
  /**
   * Runs a list of effects in order; true when it came to its end. A press while it runs does nothing. `extra` adds
   * to the scope (a row), `id` names the entry of a menu that was pressed.
   */
  run(effects: readonly Effect[] | undefined, extra?: Scope, id?: string): Promise<boolean>;
  /** As `run`, with the values that a submitted form sends; tells more of how it ended. */
  start(effects: readonly Effect[], body?: Values): Promise<PressOutcome>;
  /** Runs once more what ran last; what was sent with an unknown outcome is sent as the same press. */
  again(): Promise<unknown>;
  clear(): void;
  readonly busy: boolean;
  /** What to show next to what was pressed. */
  readonly failure: string | undefined;
  /** What to say in place of the failure where it is not known whether it was done. */
  readonly unknown: string | undefined;
  /** Reference number of a fault about which the user can do nothing. */
  readonly reference: string | undefined;
};

type Shown = Pick<Run, 'busy' | 'failure' | 'unknown' | 'reference'>;
type PressOrigin = Omit<Press, 'body'>;

const idle: Shown = { busy: false, failure: undefined, unknown: undefined, reference: undefined };
const refused: PressOutcome = { done: false };

/** Effects that are done at once, or say themselves that they are not: nothing to be busy with. */
const instant: ReadonlySet<string> = new Set(['open-popup', 'close-popup', 'set', 'toast', 'publish']);

/** A run, and `moveTo`, which says where the next press runs. */
function createRun(show: (shown: Shown) => void): Run & { moveTo(next: PressOrigin): void } {
  let place: PressOrigin;
  let isRunning = false;
  let last: readonly [effects: readonly Effect[], more: Partial<Press>] = [[], {}];

  async function begin(effects: readonly Effect[], more: Partial<Press>): Promise<PressOutcome> {
    if (isRunning) return refused;
    isRunning = true;
    last = [effects, more];
    const isInstant = effects.every(effect => instant.has(effect.do));
    if (!isInstant) show({ ...idle, busy: true });
    let outcome = refused;
    try {
      outcome = await runEffects(effects, { ...place, ...more });
    } finally {
      isRunning = false;
      if (!isInstant)
        show({ ...idle, failure: outcome.failure, unknown: outcome.unknown, reference: outcome.reference });
    }
    return outcome;
  }

  return {
    ...idle,
    moveTo(next) {
      place = next;
    },
    run: async (effects, extra, id = place.node) =>
      effects ? (await begin(effects, { node: id, scope: { ...place.scope, ...extra } })).done : false,
    again: () => begin(...last),
    start: (effects, body) => begin(effects, { body }),
    clear: () => show(idle),
  };
}

/**
 * Hook that gives the functions to run effects for a node, and the state of the run (busy, failure). `scope` is what
 * their paths read; `nodeId` is the id that a call names, `ownForm` the form of a node that is itself one.
 */
export function useRun(scope: Scope, nodeId = '', ownForm?: FormStore): Run {
  const portal = usePortalObject();
  const document = useDocument();
  const form = useForm();
  const [run, set] = useState(() => createRun(shown => set(before => ({ ...before, ...shown }))));
  run.moveTo({ portal, document, form: ownForm ?? form, node: nodeId, scope });
  return run;
}
