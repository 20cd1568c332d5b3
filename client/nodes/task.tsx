import { type ReactNode, useEffect } from 'react';
import { readPath } from '../../shared/rules/path.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { type Portal, usePortalObject } from '../runtime/state/portal.ts';
import { readPreference, usePreference } from '../runtime/state/preferences.ts';

/** https://developer.mozilla.org/docs/Web/API/Document/prerendering */
type MaybeUnseen = Document & { readonly prerendering?: boolean };

/** Milliseconds until a task that nobody asked for, and that would be in the way, looks again. */
const pause = 1000;
/** Values of `once` that a browser remembers of a task, the newest first. */
const mostDone = 20;

/** Milliseconds in which other windows have heard what this one has done. */
const untilHeard = 10_000;

/** Acts in one window of the browser: those that want the same at the same moment do nothing. */
function actInOneWindow(name: string, act: () => void): void {
  // Only a secure page has locks.
  if (!navigator.locks) {
    act();
    return;
  }
  void navigator.locks.request(name, { ifAvailable: true }, async lock => {
    if (!lock) return;
    act();
    await new Promise(resolve => setTimeout(resolve, untilHeard));
  });
}

const readDone = (kept: unknown): readonly unknown[] => (Array.isArray(kept) ? kept : []);

const hasWizard = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  ((part as { readonly type?: unknown }).type === 'steps' || Object.values(part).some(hasWizard));

/** True while something of the page would be in the way of a question, or is being filled in. */
function isBusy({ popups, question, underWay, screen }: Portal): boolean {
  const document = screen.get()?.document;
  return (
    popups.get().length > 0 ||
    question.get() !== undefined ||
    underWay.get() !== undefined ||
    window.document.activeElement?.matches('input, textarea, select') === true ||
    (document !== undefined && (document.forms.size > 0 || hasWizard(document.layout.get().layout)))
  );
}

/**
 * Runs its effects once by itself, `after` so many milliseconds, but never in a page that the browser only prerenders.
 * Its children are a live region, so that the outcome is read out. After a failure it offers a retry.
 */
export function Task({ node, scope }: NodeProps<'task'>): ReactNode {
  const { run, busy, failure, reference } = useRun(scope, node.id);
  const portal = usePortalObject();
  const name = `task-${node.id}`;
  const [, setDone] = usePreference(name, readDone);
  const allDone = () => readDone(readPreference(portal, name));
  const value = node.once === undefined ? undefined : readPath(scope, node.once);
  const open = () => {
    if (node.once !== undefined) setDone([value, ...allDone()].slice(0, mostDone));
    void run(node.on.open);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever is drawn meanwhile.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const openUnlessBusy = () => {
      // Another window may have done it meanwhile.
      if (node.once !== undefined && allDone().includes(value)) return;
      if (node.unasked && isBusy(portal)) timer = setTimeout(openUnlessBusy, pause);
      else if (node.once === undefined) open();
      else actInOneWindow(`${portal.boot.get().principal.identity}.${name}.${String(value)}`, open);
    };
    const begin = () => {
      if (node.once === undefined || !allDone().includes(value)) timer = setTimeout(openUnlessBusy, node.after ?? 0);
    };
    if ((document as MaybeUnseen).prerendering) document.addEventListener('prerenderingchange', begin, { once: true });
    else begin();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('prerenderingchange', begin);
    };
  }, []);
  if (!node.children && !failure) return null;
  return (
    <div role="status" className="stack" aria-busy={busy} data-testid={node.testId}>
      {failure ? <Trouble of={{ failed: failure, reference, retry: open }} /> : drawNodes(node.children, scope)}
    </div>
  );
}
