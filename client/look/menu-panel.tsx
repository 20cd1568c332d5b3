import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Icon } from './icon.tsx';
import { isPlainClick } from './plain-click.ts';

export type MenuPanelProps = {
  readonly id: string;
  /** Id of the button that has opened it. */
  readonly buttonId: string;
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly entries: readonly MenuEntry[];
  /** Shown above the entries. */
  readonly head: ReactNode;
  /** The entry that has the focus first. */
  readonly start: 'first' | 'last';
  /** `focus`: true gives the focus back to the button. */
  readonly hide: (focus?: boolean) => void;
};

type EntryGroup = readonly [MenuEntry, ...MenuEntry[]];

/** Entries that stand together: up to the next line or title. */
function groupsOf(entries: readonly MenuEntry[]): readonly EntryGroup[] {
  const groups: [MenuEntry, ...MenuEntry[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && !entry.divider && entry.group === last[0].group) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

const itemsIn = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];

type EntryProps = { readonly entry: MenuEntry; readonly close: () => void };

function Entry({ entry, close }: EntryProps) {
  const shared = {
    className: entry.danger ? 'menu__item menu__item--danger' : 'menu__item',
    role: entry.checked === undefined ? 'menuitem' : entry.isToggle ? 'menuitemcheckbox' : 'menuitemradio',
    'aria-checked': entry.checked,
    'data-testid': entry.testId,
    tabIndex: -1,
  };
  const content = (
    <>
      {entry.icon && <Icon name={entry.icon} />}
      {entry.text}
      {entry.checked && (
        <span className="menu__check">
          <Icon name="check" />
        </span>
      )}
    </>
  );
  if (entry.external) {
    return (
      <a {...shared} href={entry.external} target="_blank" rel="noopener noreferrer" onClick={close}>
        {content} <span className="visually-hidden">{entry.newTab}</span>
        <span className="menu__check">
          <Icon name="external" small />
        </span>
      </a>
    );
  }
  if (entry.href) {
    return (
      <a
        {...shared}
        href={entry.href}
        aria-current={entry.current ? 'page' : undefined}
        onClick={event => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          close();
          entry.press?.();
        }}
      >
        {content}
      </a>
    );
  }
  return (
    <button
      {...shared}
      type="button"
      onClick={() => {
        if (!entry.isToggle) close();
        entry.press?.();
      }}
    >
      {content}
    </button>
  );
}

/** The list of entries that a menu's button opens, with arrow keys, Home, End and type-ahead. */
export function MenuPanel({ id, buttonId, panel, entries, head, start, hide }: MenuPanelProps): ReactNode {
  const typed = useRef({ text: '', at: 0 });

  useEffect(() => {
    itemsIn(panel.current)
      .at(start === 'first' ? 0 : -1)
      ?.focus();
  }, [panel, start]);

  const typeAhead = (key: string, all: HTMLElement[], index: number, now: number) => {
    const started = now - typed.current.at < 500 ? typed.current.text : '';
    const text = started + key.toLowerCase();
    typed.current = { text, at: now };
    // A first letter moves on, further letters may stay where they match.
    const from = started === '' ? index + 1 : index;
    const ordered = [...all.slice(from), ...all.slice(0, from)];
    ordered.find(item => item.textContent?.trim().toLowerCase().startsWith(text))?.focus();
  };

  const onMenuKey = (event: KeyboardEvent) => {
    const all = itemsIn(panel.current);
    const index = all.indexOf(document.activeElement as HTMLElement);
    const go = (to: number) => all.at(to % all.length)?.focus();
    if (event.key === 'ArrowDown') go(index + 1);
    else if (event.key === 'ArrowUp') go(index - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(-1);
    else if (event.key === 'Tab') return hide(true);
    else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      typeAhead(event.key, all, index, event.timeStamp);
    } else return;
    event.preventDefault();
  };

  return (
    <div
      ref={panel}
      id={id}
      className="menu"
      role="menu"
      aria-labelledby={buttonId}
      popover="manual"
      tabIndex={-1}
      onKeyDown={onMenuKey}
    >
      {head}
      {groupsOf(entries).map(([first, ...rest]) => (
        // biome-ignore lint/a11y/useSemanticElements: a menu may hold groups, but no fieldset
        <div key={first.key} role="group" aria-label={first.group}>
          {first.divider && <hr className="menu__line" />}
          {first.group && (
            <div className="menu__label" role="presentation">
              {first.group}
            </div>
          )}
          {[first, ...rest].map(entry => (
            <Entry key={entry.key} entry={entry} close={() => hide(true)} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** One line of a menu. With `href` it is a link that `press` follows inside the portal; `external` opens a new tab. */
export type MenuEntry = {
  readonly key: string;
  readonly text: string;
  readonly icon?: string | undefined;
  readonly danger?: boolean | undefined;
  /** True to draw a line above. */
  readonly divider?: boolean | undefined;
  readonly testId?: string | undefined;
  readonly href?: string | undefined;
  readonly external?: string | undefined;
  /** Said after the text of an external entry. */
  readonly newTab?: string | undefined;
  /** Title of the entries that stand together here; said once above the first. */
  readonly group?: string | undefined;
  /** Given for a choice among its neighbours: whether this one holds. */
  readonly checked?: boolean | undefined;
  /** True where each entry is chosen by itself: the menu stays open. */
  readonly isToggle?: boolean | undefined;
  /** True for the page one is on. */
  readonly current?: boolean | undefined;
  readonly press?: () => void;
};
