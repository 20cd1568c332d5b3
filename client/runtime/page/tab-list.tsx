import type { KeyboardEvent, ReactNode } from 'react';
import { partId } from '../../look/part-id.ts';

export type TabItem = {
  readonly value: string;
  readonly text: string;
  readonly count?: string | undefined;
  readonly testId?: string | undefined;
};

type TabListProps = {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly selected: string;
  /** Prefix of the ids of tabs; `${id}-${value}` names a tab, `${id}-panel` what it shows, if anything. */
  readonly id: string;
  readonly hasPanel: boolean;
  readonly testId?: string | undefined;
  /** `isKey` is true while one moves along with the arrow keys. */
  readonly onSelect: (value: string, isKey: boolean) => void;
};

/** Where an arrow key leads in a list of `count`, or undefined for another key. */
function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** A row of tabs: one tab stop, arrows, Home and End move and select (ARIA Authoring Practices, tabs). */
export function TabList({ label, items, selected, id, hasPanel, testId, onSelect }: TabListProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = items.findIndex(item => item.value === selected);
    const target = items[targetOf(event.key, at, items.length) ?? -1];
    if (!target) return;
    event.preventDefault();
    onSelect(target.value, true);
    event.currentTarget.querySelector<HTMLElement>(`[data-value="${CSS.escape(target.value)}"]`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} data-testid={testId} onKeyDown={onKeyDown}>
      {items.map(({ value, text, count, testId: own }) => (
        <button
          key={value}
          className="tab"
          role="tab"
          type="button"
          id={`${id}-${value}`}
          data-value={value}
          aria-selected={value === selected}
          aria-controls={hasPanel && value === selected ? `${id}-panel` : undefined}
          tabIndex={value === selected ? 0 : -1}
          data-testid={own ?? partId(testId, `tab-${value}`)}
          onClick={() => onSelect(value, false)}
        >
          {text}
          {count && <span className="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
