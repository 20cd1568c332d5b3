import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { searchKey } from '../../shared/rules/search-key.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { Dialog } from '../runtime/effects/dialog.tsx';
import { createDocument } from '../runtime/state/document.ts';
import type { Portal } from '../runtime/state/portal.ts';
import { PortalProvider } from '../runtime/state/portal-provider.tsx';
import { readPreference, usePreference } from '../runtime/state/preferences.ts';
import { useStore } from '../runtime/state/store.ts';
import { useWords } from '../runtime/state/values.ts';
import {
  acceptRecent,
  foundGroups,
  type Item,
  type ItemGroup,
  menuGroups,
  recentItems,
  withRecent,
} from './palette-items.ts';
import { pressRowLetter } from './row-letters.ts';
import { acceptLetters, lettersPreference, Shortcuts } from './shortcuts.tsx';

addStyles(`
  .dialog:has(.palette) { width: 640px; margin-block: 10vh auto; }
  .palette__list { max-height: min(25rem, 55vh); overflow: auto; }
  .palette__list > div > .option { flex-wrap: nowrap; }
  .palette__list .option > small { text-align: end; }
  .palette__group { padding: var(--s-2) var(--s-3) var(--s-1); color: var(--text-2); font-size: var(--t-s); font-weight: var(--w-medium); }
  @media (max-width: 600px) { .dialog:has(.palette) { width: 100%; margin-block: 0 auto; border-radius: 0 0 var(--r-xl) var(--r-xl); } }
`);

/** Milliseconds of a pause in typing before the cloud is searched. */
const pause = 200;

const none = createDocument('', {} as never);

function Palette({ portal, close }: { readonly portal: Portal; readonly close: () => void }): ReactNode {
  const id = useId();
  const word = useWords();
  const [menus] = useState((): readonly ItemGroup[] => [
    ...menuGroups(portal, word),
    {
      id: 'help',
      title: word('palette.help'),
      items: [
        {
          ...{ key: 'shortcuts', text: word('keys.title'), icon: 'help', testId: 'palette-shortcuts' },
          run: () => openShortcuts(portal),
        },
      ],
    },
  ]);
  const [typed, setTyped] = useState('');
  const [searched, setSearched] = useState('');
  const [active, setActive] = useState(0);
  const [recent, setRecent] = usePreference('palette', acceptRecent);
  const list = useRef<HTMLDivElement>(null);
  const document = portal.navigation.get() ?? none;
  useStore(document.data, data => data.found);
  const status = useStore(document.status, sources => sources.found);
  const words = typed.trim().toLowerCase();
  const wanted = searchKey(words);
  const matching = menus.map(group => ({
    ...group,
    items: group.items.filter(({ text, detail }) => searchKey(`${text} ${detail}`).includes(wanted)),
  }));
  const groups: readonly ItemGroup[] = [
    ...(words === '' ? [{ id: 'recent', title: word('palette.recent'), items: recentItems(portal, recent) }] : []),
    // What was found for other words is of no use.
    ...(words !== '' && words === searched ? foundGroups(portal, word) : []),
    ...matching,
  ].filter(({ items }) => items.length > 0);
  const all = groups.flatMap(({ items }) => items);
  // Without lists of hits nothing is searched.
  const isSearching = words !== '' && status !== undefined && (words !== searched || status.loading);
  const said = isSearching ? 'palette.searching' : all.length === 0 ? 'palette.none' : 'palette.keys';

  useEffect(() => {
    let timer = setTimeout(() => {
      document.state.set({ ...document.state.get(), search: words });
      // By then the source says that it loads.
      timer = setTimeout(() => setSearched(words));
    }, pause);
    return () => clearTimeout(timer);
  }, [document, words]);
  useEffect(() => () => document.state.set({ ...document.state.get(), search: '' }), [document]);
  useEffect(() => {
    list.current?.querySelectorAll('[role=option]')[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  const take = (item: Item | undefined) => {
    if (!item) return;
    setRecent(withRecent(recent, item));
    close();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = Math.max(all.length, 1);
    if (event.key === 'ArrowDown') setActive((active + 1) % count);
    else if (event.key === 'ArrowUp') setActive((active - 1 + count) % count);
    else if (event.key === 'Enter') take(all[active]);
    else return;
    event.preventDefault();
  };
  const option = (item: Item) => {
    const index = all.indexOf(item);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the input has focus and keys.
      <div
        key={item.key}
        id={`${id}-${index}`}
        className={index === active ? 'option is-active' : 'option'}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        data-testid={item.testId}
        onPointerDown={event => event.preventDefault()}
        onClick={() => take(item)}
      >
        <Icon name={item.icon} />
        <span className="list__text">
          <span>{item.text}</span>
        </span>
        {item.detail && <small className="quiet">{item.detail}</small>}
      </div>
    );
  };
  return (
    <Dialog title={word('palette.title')} testId="palette" isTop={false} onClose={close}>
      <div className="stack stack--tight palette">
        <input
          className="input"
          role="combobox"
          aria-label={word('palette.title')}
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={all.length > 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          maxLength={200}
          value={typed}
          data-testid="palette-words"
          onChange={event => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        {all.length > 0 && (
          <div ref={list} id={`${id}-list`} className="palette__list" role="listbox" aria-label={word('palette.title')}>
            {groups.map(group => (
              // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by this role.
              <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}-title`}>
                <div className="palette__group" id={`${id}-${group.id}-title`} role="presentation">
                  {group.title}
                </div>
                {group.items.map(option)}
              </div>
            ))}
          </div>
        )}
        <p className="quiet" role="status">
          {(!isSearching && words !== '' && status?.failed) || word(said)}
        </p>
      </div>
    </Dialog>
  );
}

let isOpen = false;

/** Opens something over what is there, once at a time; it goes when it closes itself. */
function openOver(portal: Portal, draw: (close: () => void) => ReactNode): void {
  if (isOpen) return;
  isOpen = true;
  const place = window.document.createElement('div');
  window.document.body.append(place);
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
    isOpen = false;
  };
  root.render(<PortalProvider value={portal}>{draw(close)}</PortalProvider>);
}

/** Opens the command palette; choosing an entry or Escape closes it. */
export function openPalette(portal: Portal): void {
  openOver(portal, close => <Palette portal={portal} close={close} />);
}

/** Lists the shortcuts, and lets one switch those of a single letter off. */
function openShortcuts(portal: Portal): void {
  openOver(portal, close => <Shortcuts close={close} />);
}

/** Runs the single-letter shortcut: "?" lists the shortcuts, other letters act on the table row that has the focus. */
export function pressLetter(portal: Portal, letter: string): void {
  if (!acceptLetters(readPreference(portal, lettersPreference))) return;
  if (letter === '?') openShortcuts(portal);
  else pressRowLetter(letter);
}
