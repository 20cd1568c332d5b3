import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { useWords } from '../runtime/state/values.ts';

addStyles(`
  .help { width: min(36rem, calc(100vw - 2 * var(--s-4))); margin: auto; padding: var(--s-5); border: 0; background: var(--raised); color: var(--text); border-radius: var(--r-l); box-shadow: var(--shadow-menu); }
  .help > * + * { margin-top: var(--s-3); }
  .page__name > .button { margin-inline-start: calc(-1 * var(--s-2)); }
  .help h2 { font-size: var(--t-l); }
`);

type HelpProps = { readonly title: string; readonly text: string };

/**
 * The help beside a screen's heading: what the screen is for and who may do what. Escape or a press elsewhere closes
 * it.
 */
export function Help({ title, text }: HelpProps): ReactNode {
  const id = useId();
  const word = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        className="button button--quiet button--small"
        type="button"
        popoverTarget={id}
        aria-expanded={isOpen}
        data-testid="help"
      >
        <Icon name="help" />
        <span className="button__text">{word('shell.help')}</span>
      </button>
      <section
        className="help"
        id={id}
        popover="auto"
        aria-label={title}
        onBeforeToggle={event => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <>
            <h2>{title}</h2>
            {text.split('\n').map(line => (
              <p key={line}>{line}</p>
            ))}
            <button
              className="button"
              type="button"
              popoverTarget={id}
              popoverTargetAction="hide"
              data-testid="close-help"
            >
              {word('popup.close')}
            </button>
          </>
        )}
      </section>
    </>
  );
}
