import { type ReactNode, useId } from 'react';
import { isMet } from '../../shared/rules/condition.ts';
import { resolveText } from '../../shared/rules/text.ts';
import { Icon } from '../look/icon.tsx';
import { MenuButton } from '../look/menu-button.tsx';
import { useRun } from '../runtime/effects/effects.ts';
import { RunFailure } from '../runtime/effects/run-failure.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/** A button that opens a menu of actions; one runs at a time. Entries whose condition is not met are left out. */
export function Menu({ node, scope }: NodeProps<'menu'>): ReactNode {
  const failureId = useId();
  const pressed = useRun(scope, node.id);
  const { run, busy, failure } = pressed;
  const text = useText(node.text, node.values, scope);
  const entries = node.items
    .filter(item => isMet(item.when, scope))
    .map((item, index) => ({
      key: item.id ?? String(index),
      text: resolveText(item.text, node.values, scope),
      icon: item.icon,
      danger: item.danger,
      divider: item.divider && index > 0,
      testId: item.testId,
      // A call names the entry that was pressed, not the menu.
      press: () => void run(item.on.press, undefined, item.id),
    }));
  if (entries.length === 0) return null;
  return (
    <>
      <MenuButton
        className="button"
        entries={entries}
        testId={node.testId}
        busy={busy}
        describedBy={failure ? failureId : undefined}
      >
        {busy ? <span className="spinner" /> : node.icon && <Icon name={node.icon} />}
        <span className="button__text">{text}</span>
        <Icon name="chevron-down" small />
      </MenuButton>
      <RunFailure id={failureId} of={pressed} />
    </>
  );
}
