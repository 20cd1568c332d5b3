import { useCallback } from 'react';
import type { Effect } from '../../shared/language/types.ts';
import { runEffects } from '../runtime/effects/run-effects.ts';
import { toast } from '../runtime/effects/toasts.tsx';
import { useDocument } from '../runtime/state/document-scope.tsx';
import { usePortalObject } from '../runtime/state/portal.ts';
import type { Scope } from '../runtime/state/scope.ts';

export type Press = (effects: readonly Effect[], node: string | undefined) => void;

/** Gives `press(effects, id)` for entries of the navigation. A menu closes when pressed, so a failure is a toast. */
export function usePress(scope: Scope): Press {
  const portal = usePortalObject();
  const document = useDocument();
  return useCallback(
    (effects, node = '') => {
      void runEffects(effects, { portal, document, form: undefined, node, scope }).then(({ failure }) => {
        if (failure) toast(portal, { kind: 'bad', text: failure });
      });
    },
    [portal, document, scope],
  );
}
