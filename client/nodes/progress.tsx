import { type ReactNode, useId } from 'react';
import { readPath } from '../../shared/rules/path.ts';
import { addStyles } from '../look/late-styles.ts';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useSpeech, useText } from '../runtime/state/values.ts';

addStyles(`
  .progress { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--s-15) var(--s-3); }
  .progress span { color: var(--text-2); font-size: var(--t-s); font-variant-numeric: tabular-nums; }
  .progress progress { grid-column: 1 / -1; width: 100%; height: 8px; }
`);

/** A progress bar with a label and "12 of 37", or without numbers while the whole is not known. */
export function Progress({ node, scope }: NodeProps<'progress'>): ReactNode {
  const id = useId();
  const { word, format } = useSpeech();
  const label = useText(node.label, node.values, scope);
  const [done, all] = [node.share?.done, node.share?.of].map(path => path && readPath(scope, path));
  const isKnown = typeof done === 'number' && typeof all === 'number' && all > 0;
  const [written, total] = [format(done, 'number'), format(all, 'number')];
  const said = isKnown ? word('progress.share', { done: written, all: total }) : word('progress.running');
  return (
    <div className="progress" data-testid={node.testId}>
      <label htmlFor={id}>{label}</label>
      <span>{said}</span>
      <progress
        id={id}
        value={isKnown ? Math.min(done, all) : undefined}
        max={isKnown ? all : undefined}
        aria-valuetext={said}
      />
    </div>
  );
}
