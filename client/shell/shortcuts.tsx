import type { ReactNode } from 'react';
import { Dialog } from '../runtime/effects/dialog.tsx';
import { usePreference } from '../runtime/state/preferences.ts';
import { useWords } from '../runtime/state/values.ts';

/** Name of the preference that switches shortcuts of a single letter. */
export const lettersPreference = 'letters';
/** Reads from the stored preference whether single-letter shortcuts are on; they are unless switched off. */
export const acceptLetters = (kept: unknown): boolean => kept !== false;

const shortcuts = [
  ['Ctrl K', 'keys.search'],
  ['/', 'keys.page'],
  ['J', 'keys.next'],
  ['K', 'keys.previous'],
  ['X', 'keys.select'],
  ['M', 'keys.menu'],
  ['A', 'keys.actions'],
  ['?', 'keys.list'],
] as const;

/** The dialog with the list of keyboard shortcuts, and the switch for those of a single letter (WCAG 2.2, 2.1.4). */
export function Shortcuts({ close }: { readonly close: () => void }): ReactNode {
  const word = useWords();
  const [isOn, setOn] = usePreference(lettersPreference, acceptLetters);
  return (
    <Dialog title={word('keys.title')} testId="shortcuts" isTop={false} onClose={close}>
      <div className="stack">
        <dl className="facts">
          {shortcuts.map(([key, name]) => (
            <div key={key}>
              <dt>
                <kbd className="key">{key}</kbd>
              </dt>
              <dd>{word(name)}</dd>
            </div>
          ))}
        </dl>
        <label className="check">
          <input
            type="checkbox"
            checked={isOn}
            data-testid="shortcuts-letters"
            onChange={event => setOn(event.target.checked)}
          />
          <span>{word('keys.letters')}</span>
        </label>
      </div>
    </Dialog>
  );
}
