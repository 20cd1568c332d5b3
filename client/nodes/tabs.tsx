import { type ReactNode, useId } from 'react';
import { isMet } from '../../shared/rules/condition.ts';
import { readPath } from '../../shared/rules/path.ts';
import { partId } from '../look/part-id.ts';
import { Message } from '../runtime/effects/message.tsx';
import { usePlace } from '../runtime/effects/navigation.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { TabList } from '../runtime/page/tab-list.tsx';
import { useSpeech, useText } from '../runtime/state/values.ts';

/**
 * Tabs: several panels of which one is shown; the choice is kept in the address or the page's state. For an unknown
 * name in the address the first one is shown, with a note.
 */
export function Tabs({ node, scope }: NodeProps<'tabs'>): ReactNode {
  const id = useId();
  const [chosen, choose] = usePlace(node.path);
  const label = useText(node.label, node.values, scope);
  const speech = useSpeech();
  const tabs = node.tabs.filter(tab => isMet(tab.when, scope));
  const current = tabs.find(tab => tab.id === chosen) ?? tabs[0];
  if (!current) return null;
  const items = tabs.map(tab => ({
    value: tab.id,
    text: speech.text(tab.title, node.values, scope),
    count: tab.count && speech.format(readPath(scope, tab.count), 'number'),
    testId: tab.testId ?? partId(node.testId, `tab-${tab.id}`),
  }));
  return (
    <div data-testid={node.testId}>
      <TabList
        label={label}
        items={items}
        selected={current.id}
        id={id}
        hasPanel
        onSelect={(value, isKey) => choose(value, { replace: isKey })}
      />
      <div
        key={current.id}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current.id}`}
        className="stack"
      >
        {chosen && chosen !== current.id && (
          <Message kind="wait" text={speech.word('tabs.unknown')} testId={partId(node.testId, 'unknown')} />
        )}
        {drawNodes(current.children, scope)}
      </div>
    </div>
  );
}
