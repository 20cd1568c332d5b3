import { type ReactNode, useCallback, useState } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { MenuButton } from '../../look/menu-button.tsx';
import { partId } from '../../look/part-id.ts';
import type { Scope } from '../../runtime/scope.ts';
import { useSpeech } from '../../runtime/values.ts';
import { leadOf } from './row.tsx';

/** A table with fewer columns needs no choice. */
const worthwhile = 5;

function readHidden(place: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(place) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

/** The columns of a table that this browser hides, and a setter. */
export function useHiddenColumns(table: string): readonly [ReadonlySet<string>, (hidden: ReadonlySet<string>) => void] {
  const place = `portal.columns.${table}`;
  const [hidden, setHidden] = useState(() => readHidden(place));
  const hide = useCallback(
    (next: ReadonlySet<string>) => {
      setHidden(next);
      try {
        localStorage.setItem(place, JSON.stringify([...next]));
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
    [place],
  );
  return [hidden, hide];
}

type ChooserProps = {
  readonly node: TableNode;
  readonly scope: Scope;
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (hidden: ReadonlySet<string>) => void;
};

/** A menu of the columns; the name of the row always stays. */
export function ColumnChooser({ node, scope, hidden, onHide }: ChooserProps): ReactNode {
  const { word, text } = useSpeech();
  if (node.columns.length < worthwhile || node.dense) return null;
  const lead = leadOf(node.columns);
  return (
    <MenuButton
      className="button button--icon button--small not-small"
      label={word('table.columns')}
      testId={partId(node.testId, 'columns')}
      entries={node.columns
        .filter(column => column !== lead)
        .map(column => {
          const key = column.id ?? column.path;
          const isShown = !hidden.has(key);
          return {
            key,
            text: text(column.title, node.values, scope),
            checked: isShown,
            testId: partId(node.testId, `column-${key}`),
            press: () =>
              onHide(isShown ? new Set([...hidden, key]) : new Set([...hidden].filter(other => other !== key))),
          };
        })}
    >
      <Icon name="columns" />
    </MenuButton>
  );
}
