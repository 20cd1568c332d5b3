import { type ReactNode, useEffect } from 'react';
import { Trouble } from '../look/retry-message.tsx';
import { useRun } from '../runtime/effects/effects.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useWord } from '../runtime/state/values.ts';

/** https://developer.mozilla.org/docs/Web/API/Document/prerendering */
type MaybeUnseen = Document & { readonly prerendering?: boolean };

/**
 * Runs its effects once by itself, `after` so many milliseconds, but never in a page that the browser only prerenders.
 * Its children are a live region, so that the outcome is read out. After a failure it offers a retry.
 */
export function Task({ node, scope }: NodeProps<'task'>): ReactNode {
  const { run, busy, failure } = useRun(scope, node.id);
  const retry = useWord('retry');
  const open = () => void run(node.on.open);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever is drawn meanwhile.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      timer = setTimeout(open, node.after ?? 0);
    };
    if ((document as MaybeUnseen).prerendering) document.addEventListener('prerenderingchange', begin, { once: true });
    else begin();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('prerenderingchange', begin);
    };
  }, []);
  return (
    <div role="status" className="stack" aria-busy={busy} data-testid={node.testId}>
      {failure ? <Trouble text={failure} retry={retry} run={open} /> : drawNodes(node.children, scope)}
    </div>
  );
}
