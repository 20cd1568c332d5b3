import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { NavigationEntry, NavigationLayout } from '../../shared/language/types.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { Icon } from '../look/icon.tsx';
import { Dialog } from '../runtime/dialog.tsx';
import type { Portal } from '../runtime/portal.ts';
import { PortalProvider } from '../runtime/portal-provider.tsx';
import { runEffects } from '../runtime/run-effects.ts';
import { rowsOf } from '../runtime/scope.ts';
import { toast } from '../runtime/toasts.tsx';
import { useWords } from '../runtime/values.ts';

type Item = {
  readonly key: string;
  readonly text: string;
  readonly icon: string;
  readonly detail?: string;
  readonly testId?: string | undefined;
  run(): void;
};

/** Milliseconds of a pause in typing before customers are searched. */
const pause = 200;

/** What the menus offer, and what only a press does, each with the name of the menu it is in. */
function itemsOf(portal: Portal): Item[] {
  const document = portal.navigation.get();
  if (!document) return [];
  const { layout } = document.layout.get();
  const { main = [], new: created, account } = layout as NavigationLayout;
  const scope = { principal: portal.boot.get().principal, route: portal.route.get(), state: document.state.get() };
  const plain = (text: NavigationEntry['text']) => interpolate(text, {});
  const read = (entries: readonly NavigationEntry[], detail: string): Item[] =>
    entries.flatMap((entry): Item[] => {
      const { id = '', text, items, to, on, icon = 'arrow-right' } = entry;
      if (items) return read(items, plain(text));
      const href = to && fillAddress(to, scope);
      const run = () => {
        if (href) void portal.host.navigate(href);
        else if (on)
          void runEffects(on.press, { portal, document, form: undefined, node: id, scope }).then(({ failure }) => {
            if (failure) toast(portal, { kind: 'bad', text: failure });
          });
      };
      return href || on ? [{ key: `entry-${id}`, text: plain(text), icon, detail, testId: `palette-${id}`, run }] : [];
    });
  return [
    ...(created ? read(created.items, plain(created.text)) : []),
    ...read(main, ''),
    ...(account ? read(account.items, plain(account.text)) : []),
  ];
}

/** The customers that words match, for those who have the list of them. */
async function findCustomers(portal: Portal, words: string): Promise<Item[]> {
  if (words === '' || !portal.boot.get().routes.some(([pattern]) => pattern === '/customers')) return [];
  const query = new URLSearchParams({ pageSize: '5', search: words });
  const { Result } = await portal.host.read(`/ui/data/customers.list?${query}`);
  const rows = rowsOf((Result as { Items?: unknown } | undefined)?.Items) ?? [];
  return rows.map(({ OrganisationId, Name }) => ({
    key: `customer-${OrganisationId}`,
    text: String(Name),
    icon: 'building',
    run: () => void portal.host.navigate(`/customers/customer/${encodeURIComponent(String(OrganisationId))}`),
  }));
}

function Palette({ portal, close }: { readonly portal: Portal; readonly close: () => void }): ReactNode {
  const id = useId();
  const word = useWords();
  const [all] = useState(() => itemsOf(portal));
  const [typed, setTyped] = useState('');
  const [customers, setCustomers] = useState<readonly Item[]>([]);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const words = typed.trim().toLowerCase();
  const found = [...all.filter(({ text, detail }) => `${text} ${detail}`.toLowerCase().includes(words)), ...customers];

  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const items = await findCustomers(portal, words).catch(() => []);
      if (!isOver) setCustomers(items);
    }, pause);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [portal, words]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  const take = (item: Item | undefined) => {
    if (!item) return;
    close();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const count = Math.max(found.length, 1);
    if (event.key === 'ArrowDown') setActive((active + 1) % count);
    else if (event.key === 'ArrowUp') setActive((active - 1 + count) % count);
    else if (event.key === 'Enter') take(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={word('palette.title')} testId="palette" isTop={false} onClose={close}>
      <div className="stack stack--tight">
        <input
          className="input"
          role="combobox"
          aria-label={word('palette.title')}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
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
        {found.length > 0 && (
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={word('palette.title')}>
            {found.map((item, index) => (
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
            ))}
          </div>
        )}
        <p className="quiet" role="status">
          {found.length === 0 ? word('palette.none') : ''}
        </p>
      </div>
    </Dialog>
  );
}

let isOpen = false;

/** Opens the palette over what is there; it goes with what was chosen, or with Escape. */
export function openPalette(portal: Portal): void {
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
  root.render(
    <PortalProvider value={portal}>
      <Palette portal={portal} close={close} />
    </PortalProvider>,
  );
}
