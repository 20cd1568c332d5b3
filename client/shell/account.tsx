import { type ReactNode, useEffect, useState } from 'react';
import type { NavigationLayout } from '../../shared/language/types.ts';
import { Avatar } from '../look/avatar.tsx';
import { Icon } from '../look/icon.tsx';
import { MenuButton } from '../look/menu-button.tsx';
import type { MenuEntry } from '../look/menu-panel.tsx';
import { usePortal } from '../runtime/state/portal.ts';
import { useWords } from '../runtime/state/values.ts';
import { applyBrand } from './brand.ts';
import { plain } from './entries.ts';
import { chooseTheme, readTheme, themes } from './theme.ts';

const icons = { light: 'sun', dark: 'moon', system: 'sliders' } as const;

type AccountProps = {
  readonly account: NonNullable<NavigationLayout['account']>;
  readonly entries: readonly MenuEntry[];
};

/** The My Account menu: who is signed in, its entries, the choice of theme above what ends the session. */
export function Account({ account, entries }: AccountProps): ReactNode {
  const { principal } = usePortal().boot;
  const { look } = principal;
  useEffect(() => applyBrand(look), [look]);
  const word = useWords();
  const [theme, setTheme] = useState(readTheme);
  const choices = themes.map(
    (name, index): MenuEntry => ({
      key: `theme-${name}`,
      text: word(`theme.${name}`),
      group: word('theme.label'),
      icon: icons[name],
      testId: `theme-${name}`,
      checked: theme === name,
      divider: index === 0 && entries.length > 0,
      press: () => {
        chooseTheme(name);
        setTheme(name);
      },
    }),
  );
  const last = entries.at(-1);
  const endsApart = last !== undefined && account.items.at(-1)?.divider === true;
  // Alone, an entry has no line above it; below the themes it has.
  const all = endsApart ? [...entries.slice(0, -1), ...choices, { ...last, divider: true }] : [...entries, ...choices];
  return (
    <MenuButton
      className="account"
      label={[plain(account.text), principal.name].filter(Boolean).join(', ')}
      testId={account.testId}
      entries={all}
      head={
        <div className="menu__who" role="presentation">
          <b>{principal.name}</b>
          <span>{principal.email}</span>
          {principal.organisationName && <span>{principal.organisationName}</span>}
        </div>
      }
    >
      <Avatar name={principal.name || principal.email} />
      <Icon name="chevron-down" small />
    </MenuButton>
  );
}
