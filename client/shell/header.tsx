import { memo, type ReactNode, useCallback, useState } from 'react';
import type { NavigationEntry, NavigationLayout } from '../../shared/language/types.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { Icon } from '../look/icon.tsx';
import { MenuButton } from '../look/menu-button.tsx';
import type { MenuEntry } from '../look/menu-panel.tsx';
import { A, useNavigation, usePath } from '../runtime/effects/navigation.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import { lazyComponent } from '../runtime/state/lazy-component.tsx';
import type { Scope } from '../runtime/state/scope.ts';
import { useWords } from '../runtime/state/values.ts';
import { Account } from './account.tsx';
import { currentOf, menuEntries, plain } from './entries.ts';
import { useFitting } from './fitting.ts';
import { LogoLink } from './logo.tsx';
import { Notices } from './notices.tsx';
import { type Press, usePress } from './press.ts';

let bring: () => Promise<Pick<typeof import('./drawer.tsx'), 'Drawer'>>;
const Drawer = lazyComponent(async () => (await bring()).Drawer);

/** Sets the function that loads the navigation for small screens; it is called when its button is pressed. */
export function lazyLoadDrawer(load: typeof bring): void {
  bring = load;
}

export type HeaderProps = { readonly layout: NavigationLayout; readonly scope: Scope };

/** What every menu of the header needs. */
function useMenu(scope: Scope, press: Press) {
  const path = usePath();
  const host = useNavigation();
  const newTab = useWords()('link.newTab');
  return (entries: readonly NavigationEntry[]) => menuEntries(entries, { scope, path, host, press, newTab });
}

type ItemProps = {
  readonly entry: NavigationEntry;
  readonly beside: readonly NavigationEntry[] | undefined;
  readonly scope: Scope;
  readonly press: Press;
};

function Item({ entry, beside, scope, press }: ItemProps): ReactNode {
  const menu = useMenu(scope, press);
  const newTab = useWords()('link.newTab');
  const current = currentOf(entry, usePath(), scope, beside);
  const text = plain(entry.text);
  if (entry.items) {
    return (
      <MenuButton
        className="nav__link"
        entries={menu(entry.items)}
        align="start"
        current={current !== undefined}
        testId={entry.testId}
      >
        {text}
        <Icon name="chevron-down" small />
      </MenuButton>
    );
  }
  if (entry.external) {
    return (
      <a
        className="nav__link"
        href={entry.external}
        target="_blank"
        rel="noopener noreferrer"
        data-testid={entry.testId}
      >
        {text}
        <Icon name="external" small /> <span className="visually-hidden">{newTab}</span>
      </a>
    );
  }
  const href = entry.to && fillAddress(entry.to, scope);
  if (!href) {
    return (
      <button
        className="nav__link"
        type="button"
        data-testid={entry.testId}
        onClick={() => press(entry.on?.press ?? [], entry.id)}
      >
        {text}
      </button>
    );
  }
  return (
    <A className="nav__link" href={href} aria-current={current} data-testid={entry.testId}>
      {text}
    </A>
  );
}

type MainMenuProps = {
  readonly main: readonly NavigationEntry[];
  readonly label: string;
  readonly scope: Scope;
  readonly press: Press;
};

/** An entry that is not shown: it has its width still, by which it comes back. */
const out = { 'data-out': true, style: { visibility: 'hidden' } } as const;

/** The main menu; the entries that the header has no room for stand in a menu at its end. */
function MainMenu({ main, label, scope, press }: MainMenuProps): ReactNode {
  const word = useWords();
  const path = usePath();
  const menu = useMenu(scope, press);
  const { row, fitting } = useFitting(main.length);
  const others = main.slice(fitting);
  return (
    <nav ref={row} className="nav" aria-label={label}>
      {main.map((entry, index) => (
        <div className="nav__item" key={entry.id ?? index} {...(index >= fitting && out)}>
          <Item entry={entry} beside={main} scope={scope} press={press} />
        </div>
      ))}
      <div className="nav__item" {...(others.length === 0 && out)}>
        <MenuButton
          className="nav__link"
          entries={others.flatMap((entry, index) => groupOf(entry, others[index - 1], menu))}
          align="start"
          current={others.some(entry => currentOf(entry, path, scope, main) !== undefined)}
          testId="main-more"
        >
          {word('shell.more')}
          <Icon name="chevron-down" small />
        </MenuButton>
      </div>
    </nav>
  );
}

/** An entry with entries of its own is their title; a line stands between these and a single one. */
function groupOf(
  entry: NavigationEntry,
  before: NavigationEntry | undefined,
  menu: (entries: readonly NavigationEntry[]) => readonly MenuEntry[],
): readonly MenuEntry[] {
  if (!entry.items) return menu([entry]).map(item => ({ ...item, divider: before?.items !== undefined }));
  return menu(entry.items).map(item => ({ ...item, group: plain(entry.text) }));
}

/** The header: logo, main navigation (a sheet when narrow), New menu, bell and account. */
export const Header = memo(function Header({ layout, scope }: HeaderProps): ReactNode {
  const word = useWords();
  const press = usePress(scope);
  const menu = useMenu(scope, press);
  const [isOpen, setOpen] = useState(false);
  const { main = [], platform } = layout;
  const hasMain = main.length > 0;
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <header className="topbar">
        {hasMain && (
          <button
            className="button button--icon button--quiet topbar__menu"
            type="button"
            aria-label={word('shell.menu')}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            data-testid="open-drawer"
            onClick={() => setOpen(true)}
          >
            <Icon name="menu" />
          </button>
        )}
        {platform && (
          <MenuButton
            className="button button--icon button--quiet topbar__platform"
            label={plain(platform.text)}
            entries={menu(platform.items)}
            align="start"
            testId={platform.testId}
          >
            <Icon name="grid" />
          </MenuButton>
        )}
        <LogoLink navigation={layout} />
        {hasMain && <MainMenu main={main} label={plain(layout.label)} scope={scope} press={press} />}
        <div className="topbar__end">
          {drawNodes(layout.actions, scope)}
          {layout.new && (
            <MenuButton
              className="button button--primary topbar__new"
              label={plain(layout.new.text)}
              entries={menu(layout.new.items)}
              testId={layout.new.testId}
            >
              <Icon name="plus" />
              <span className="button__text">{plain(layout.new.text)}</span>
              <Icon name="chevron-down" small />
            </MenuButton>
          )}
          {drawNodes(layout.bell && [layout.bell], scope)}
          {layout.account && <Account account={layout.account} entries={menu(layout.account.items)} />}
        </div>
        {isOpen && <Drawer layout={layout} scope={scope} press={press} close={close} />}
      </header>
      {layout.notice && <Notices nodes={layout.notice} scope={scope} />}
    </>
  );
});
