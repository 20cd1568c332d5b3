import { type ReactNode, useEffect, useRef } from 'react';
import type { NavigationEntry, NavigationLayout } from '../../shared/language/types.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { Icon } from '../look/icon.tsx';
import { A, usePath } from '../runtime/effects/navigation.tsx';
import type { Scope } from '../runtime/state/scope.ts';
import { useWords } from '../runtime/state/values.ts';
import { currentOf, plain } from './entries.ts';
import { Logo } from './logo.tsx';
import type { Press } from './press.ts';

type DrawerProps = {
  readonly layout: NavigationLayout;
  readonly scope: Scope;
  readonly press: Press;
  readonly close: () => void;
};

type LineProps = Omit<DrawerProps, 'layout'> & {
  readonly entry: NavigationEntry;
  readonly beside: readonly NavigationEntry[] | undefined;
};

function Line({ entry, beside, scope, press, close }: LineProps): ReactNode {
  const path = usePath();
  const newTab = useWords()('link.newTab');
  const text = plain(entry.text);
  const shared = { className: 'menu__item', 'data-testid': entry.testId && `drawer-${entry.testId}` };
  const icon = entry.icon && <Icon name={entry.icon} />;
  if (entry.items) {
    return (
      <li>
        <div className="menu__label">{text}</div>
        <ul className="drawer">
          {entry.items.map((item, index) => (
            <Line key={item.id ?? index} entry={item} beside={entry.items} scope={scope} press={press} close={close} />
          ))}
        </ul>
      </li>
    );
  }
  if (entry.external) {
    return (
      <li>
        <a {...shared} href={entry.external} target="_blank" rel="noopener noreferrer">
          {icon}
          {text}
          <Icon name="external" small />
          <span className="visually-hidden">{newTab}</span>
        </a>
      </li>
    );
  }
  const href = entry.to && fillAddress(entry.to, scope);
  if (href) {
    return (
      <li>
        <A {...shared} href={href} aria-current={currentOf(entry, path, scope, beside)} onClick={close}>
          {icon}
          {text}
        </A>
      </li>
    );
  }
  return (
    <li>
      <button
        {...shared}
        type="button"
        onClick={() => {
          close();
          press(entry.on?.press ?? [], entry.id);
        }}
      >
        {icon}
        {text}
      </button>
    </li>
  );
}

/** The main navigation on small screens: a modal sheet at the start edge, open for as long as it is drawn. */
export function Drawer({ layout, scope, press, close }: DrawerProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const word = useWords();
  const { main = [], platform } = layout;
  const entries: readonly NavigationEntry[] = platform ? [...main, { id: 'platform', ...platform }] : main;
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Wider windows have the navigation in the header.
    const wide = window.matchMedia('(min-width: 1024px)');
    wide.addEventListener('change', close);
    return () => {
      wide.removeEventListener('change', close);
      element?.close();
    };
  }, [close]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press on the backdrop; Escape closes it too
    <dialog
      ref={dialog}
      className="sheet sheet--start"
      aria-label={plain(layout.label)}
      onClose={close}
      onClick={event => event.target === event.currentTarget && close()}
    >
      <div className="sheet__head">
        <span className="logo">
          <Logo navigation={layout} />
        </span>
        <button
          className="button button--icon button--quiet"
          type="button"
          aria-label={word('popup.close')}
          data-testid="close-drawer"
          onClick={close}
        >
          <Icon name="x" />
        </button>
      </div>
      <nav className="sheet__body" aria-label={plain(layout.label)}>
        <ul className="drawer">
          {entries.map((entry, index) => (
            <Line key={entry.id ?? index} entry={entry} beside={main} scope={scope} press={press} close={close} />
          ))}
        </ul>
      </nav>
    </dialog>
  );
}
