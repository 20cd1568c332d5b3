import { type ReactNode, useLayoutEffect, useState } from 'react';
import { isMet } from '../../../shared/rules/condition.ts';
import { Icon } from '../../look/icon.tsx';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { setPlace } from '../../runtime/effects/navigation.tsx';
import { toast } from '../../runtime/effects/toasts.tsx';
import { drawNodes } from '../../runtime/page/children.tsx';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { withRow } from '../../runtime/state/scope.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import type { BulkBarProps } from '../table/lazy-work.ts';
import { selectionLimit } from '../table/selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './bulk-run.ts';
import { readMatching } from './read-matching.ts';

addStyles(`
  html:has(.bulk) { scroll-padding-block-end: var(--s-24); }
  .bulk { position: sticky; bottom: var(--s-4); z-index: var(--z-bulk); width: fit-content; min-width: 0; max-width: 100%; margin: var(--s-3) auto 0; gap: var(--s-1); padding-block: var(--s-15); white-space: nowrap; overflow-x: auto; }
  .bulk .button:focus-visible { outline-offset: -2px; }
`);

/**
 * The bar below a table while rows are selected: their number, the actions on them, and a button that selects all
 * matches.
 */
export function BulkBar({ node, scope, selection, actions, total }: BulkBarProps): ReactNode {
  const portal = usePortalObject();
  const document = useDocument();
  const { word, text } = useSpeech();
  const [action, setAction] = useState<BulkAction>();
  const [isReading, setReading] = useState(false);
  const { size } = selection;
  const reachable = Math.min(total ?? 0, selectionLimit);
  const { chosenKeys } = node;
  // An action that suits none of the rows would ask about none.
  const fit = node.bulk?.filter(({ when }) => [...selection.values()].some(row => isMet(when, withRow(scope, row))));
  useLayoutEffect(() => {
    if (chosenKeys !== undefined) setPlace(portal, document, chosenKeys, [...selection.keys()].join(','));
  }, [portal, document, chosenKeys, selection]);

  async function chooseAll(): Promise<void> {
    setReading(true);
    try {
      actions.add(await readMatching(portal, document, node, scope, reachable));
    } catch (error) {
      toast(portal, { text: (error as Error).message, kind: 'bad' });
    }
    setReading(false);
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form. */}
      <div className="bulk" role="group" aria-label={word('bulk.actions')} data-testid={partId(node.testId, 'bulk')}>
        <span role="status">{word('bulk.selected', { count: size })}</span>
        {fit?.map(one => (
          <button
            key={one.id}
            className="button button--quiet"
            type="button"
            data-testid={one.testId}
            aria-haspopup="dialog"
            onClick={() => setAction(one)}
          >
            {one.icon && <Icon name={one.icon} />}
            <span className="button__text">{text(one.text, node.values, scope)}</span>
          </button>
        ))}
        {drawNodes(node.chosenActions, scope)}
        {size < reachable && (
          <button
            className="button button--quiet"
            type="button"
            aria-busy={isReading || undefined}
            data-testid={partId(node.testId, 'select-matching')}
            onClick={() => isReading || void chooseAll()}
          >
            {word(reachable === total ? 'bulk.selectMatching' : 'bulk.selectFirst', { count: reachable })}
          </button>
        )}
        <button
          className="button button--icon button--quiet"
          type="button"
          aria-label={word('bulk.clearSelection')}
          data-testid={partId(node.testId, 'clear-selection')}
          onClick={actions.clear}
        >
          <Icon name="x" />
        </button>
      </div>
      {action && (
        <BulkDialog
          node={node}
          action={action}
          rows={[...selection.values()]}
          scope={scope}
          onClose={done => {
            setAction(undefined);
            actions.remove(done);
          }}
        />
      )}
    </>
  );
}
