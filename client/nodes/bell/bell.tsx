import { type ReactNode, useId, useMemo } from 'react';
import { readPath } from '../../../shared/rules/path.ts';
import { Icon } from '../../look/icon.tsx';
import { usePopover } from '../../look/popover.ts';
import { ListBones } from '../../look/skeleton.tsx';
import { useRows } from '../../runtime/data/rows.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { Row } from '../../runtime/state/scope.ts';
import { useText, useValue } from '../../runtime/state/values.ts';

/** Notes shown at first, when the node says nothing else. */
const usual = 3;
/** The badge has room for two digits. */
const most = 99;

type LoadPanel = () => Promise<Pick<typeof import('./panel.tsx'), 'Panel'>>;

let Panel: Awaited<ReturnType<LoadPanel>>['Panel'] | undefined;
let loadPanel: LoadPanel | undefined;

/**
 * Sets the function that loads the panel of notifications. It is called when the bell is first pressed, so that no page
 * waits for it.
 */
export function lazyLoadPanel(load: LoadPanel): void {
  loadPanel = load;
}

/**
 * The notification bell of the header: a badge with the unread count and a panel with the newest (document 1,
 * section 2.6). The count is part of the button's name, so that it is not told by the badge alone.
 */
export function Bell({ node, scope }: NodeProps<'bell'>): ReactNode {
  const { open, show, hide, anchor, panel } = usePopover<HTMLDivElement>();
  const panelId = useId();
  const value = useValue(node.count, scope);
  const counted = useText(node.label, { ...node.values, count: node.count }, scope);
  const plain = useText(node.heading, node.values, scope);
  const label = (value === undefined && plain) || counted;
  const count = typeof value === 'number' ? value : 0;
  const limit = node.limit ?? usual;
  const view = useRows(node.rows, scope);
  const rows = useMemo(
    () => view.rows && newestFirst(view.rows, row => readPath({ row }, node.at)),
    [view.rows, node.at],
  );
  const press = async () => {
    if (open) return hide();
    Panel ??= (await loadPanel?.())?.Panel;
    show();
  };
  return (
    <div className="bell">
      <button
        ref={anchor}
        className="button button--icon button--quiet"
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        data-testid={node.testId}
        onClick={() => void press()}
      >
        <Icon name="bell" />
      </button>
      {count > 0 && (
        <span className="bell__count" aria-hidden="true">
          {count > most ? `${most}+` : count}
        </span>
      )}
      {open && Panel && (
        <Panel
          id={panelId}
          panel={panel}
          node={node}
          scope={scope}
          view={{ ...view, rows }}
          limit={limit}
          bones={<ListBones rows={limit} tile />}
          hide={hide}
        />
      )}
    </div>
  );
}

/** Rows by the moment that `momentOf` gives, the newest first; equal and unreadable moments keep their order. */
function newestFirst(rows: readonly Row[], momentOf: (row: Row) => unknown): readonly Row[] {
  const moment = (row: Row) => Date.parse(String(momentOf(row))) || 0;
  return rows.toSorted((a, b) => moment(b) - moment(a));
}
