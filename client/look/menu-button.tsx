import { type ReactNode, useId, useRef } from 'react';
import type { MenuEntry } from './menu-panel.tsx';
import { usePopover } from './popover.ts';

type MenuButtonProps = {
  readonly className: string;
  readonly entries: readonly MenuEntry[];
  /** Accessible name, where the content of the button is none or changes. */
  readonly label?: string | undefined;
  readonly align?: 'start' | 'end';
  readonly testId?: string | undefined;
  readonly busy?: boolean | undefined;
  readonly current?: boolean | undefined;
  readonly describedBy?: string | undefined;
  /** Shown above the entries. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
};

type LoadPanel = () => Promise<Pick<typeof import('./menu-panel.tsx'), 'MenuPanel'>>;

let Panel: Awaited<ReturnType<LoadPanel>>['MenuPanel'] | undefined;
let loadPanel: LoadPanel;

/**
 * Sets the function that loads the panel which a menu's button opens. It is called with the first press, so that no
 * page waits for it.
 */
export function lazyLoadMenu(load: LoadPanel): void {
  loadPanel = load;
}

/**
 * A button that opens a menu: one tab stop, arrows, Home and End inside, type-ahead, Escape gives the focus back.
 * Follows the menu button pattern of the ARIA Authoring Practices.
 */
export function MenuButton(props: MenuButtonProps) {
  const { open, show, hide, anchor, panel } = usePopover<HTMLDivElement>(props.align);
  const buttonId = useId();
  const menuId = useId();
  const start = useRef<'first' | 'last'>('first');

  const openAt = async (where: 'first' | 'last') => {
    Panel ??= (await loadPanel()).MenuPanel;
    start.current = where;
    show();
  };

  return (
    <>
      <button
        ref={anchor}
        id={buttonId}
        className={props.className}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        aria-label={props.label}
        aria-busy={props.busy || undefined}
        aria-current={props.current || undefined}
        aria-describedby={props.describedBy}
        data-testid={props.testId}
        onClick={() => (open ? hide() : void openAt('first'))}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          void openAt(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        {props.children}
      </button>
      {open && Panel && (
        <Panel
          id={menuId}
          buttonId={buttonId}
          panel={panel}
          entries={props.entries}
          head={props.head}
          start={start.current}
          hide={hide}
        />
      )}
    </>
  );
}
