import type { ReactNode } from 'react';
import type { ScreenLayout } from '../../shared/language/types.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { usePortalObject } from '../runtime/state/portal.ts';
import { useWords } from '../runtime/state/values.ts';
import { plain } from './entries.ts';

addStyles(`
  .page__name > .button { margin-inline-start: calc(-1 * var(--s-2)); }
`);

type HelpProps = { readonly layout: ScreenLayout; readonly title: string; readonly popup: string };

/** The button beside a screen's heading that opens the help: what the screen is for, and articles about it. */
export function Help({ layout, title, popup }: HelpProps): ReactNode {
  const { host } = usePortalObject();
  const word = useWords();
  return (
    <button
      className="button button--quiet button--small"
      type="button"
      data-testid="help"
      onClick={() => void host.openPopup(popup, { screen: layout.route, heading: title, text: plain(layout.help) })}
    >
      <Icon name="help" />
      <span className="button__text">{word('shell.help')}</span>
    </button>
  );
}
