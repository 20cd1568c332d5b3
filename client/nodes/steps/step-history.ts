import { useEffect, useRef } from 'react';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import { usePortalObject } from '../../runtime/state/portal.ts';

type StepHistory = {
  /** The step in the address; undefined at the first one. */
  readonly asked: string | undefined;
  /** Writes the step that is shown into the address: a new entry, or over the entry that Back or Forward led to. */
  show(step: string): void;
  /** Goes back in the browser's history where the entry before is that of `step`; false otherwise. */
  back(step: string): boolean;
};

const indexNow = (): number => (history.state as { index?: number } | null)?.index ?? 0;

/**
 * Hook that gives each step of a wizard on a screen an entry in the browser's history (`?step=…`), and calls `onMove`
 * when Back or Forward leads to another step. A wizard in a popup has none.
 */
export function useStepHistory(onMove: (to: string, isBack: boolean) => void): StepHistory {
  const portal = usePortalObject();
  const document = useDocument();
  const isScreen = portal.screen.get()?.document === document;
  const [place, set] = usePlace(isScreen ? 'route.step' : undefined);
  const asked = place === undefined ? undefined : String(place);
  // The steps of the entries up to this one, the index of the first, and whether Back or Forward led here.
  const memory = useRef({ trail: [] as string[], start: 0, isMoved: false }).current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes.
  useEffect(() => {
    const { trail, start } = memory;
    const to = asked ?? trail[0];
    if (to === undefined || trail.length === 0 || to === trail.at(-1)) return;
    const at = indexNow() - start;
    const isBack = at < trail.length - 1;
    memory.trail = isBack ? [...trail.slice(0, Math.max(at, 0)), to] : [...trail, to];
    memory.isMoved = true;
    onMove(to, isBack);
  }, [asked]);
  return {
    asked,
    show(step) {
      const { trail, isMoved } = memory;
      memory.isMoved = false;
      if (trail.length === 0) {
        memory.start = indexNow();
        trail.push(step);
        if (asked !== undefined) set(undefined, { replace: true });
      } else if (trail.at(-1) !== step) {
        if (isMoved) trail.pop();
        trail.push(step);
        set(trail.length === 1 ? undefined : step, { replace: isMoved });
      }
    },
    back(step) {
      if (!isScreen || memory.trail.at(-2) !== step) return false;
      void portal.host.back('/');
      return true;
    },
  };
}
