import { type ReactNode, useId, useState } from 'react';
import { partId } from '../../look/part-id.ts';
import { Dialog } from '../../runtime/effects/dialog.tsx';
import { useSpeech } from '../../runtime/state/values.ts';
import type { SaveViewProps } from '../table/lazy-work.ts';
import { longestName } from './saved-views.ts';

/** The dialog that asks for a name under which a table's view (filters, order, columns) is saved. */
export function SaveView({ names, testId, onSave, onClose }: SaveViewProps): ReactNode {
  const id = useId();
  const { word } = useSpeech();
  const [typed, setTyped] = useState('');
  const [isRefused, setRefused] = useState(false);
  const name = typed.trim();
  const error = isRefused && name === '' ? word('view.needed') : undefined;
  const hint = names.includes(name) ? word('view.taken') : undefined;
  const title = word('view.save');
  return (
    <Dialog title={title} size="small" isTop testId={partId(testId, 'save-view-dialog')} onClose={onClose}>
      <form
        className="form"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          if (name === '') setRefused(true);
          else onSave(name);
        }}
      >
        <div className="field">
          <label className="field__label" htmlFor={id}>
            {word('view.name')}
          </label>
          <input
            className="input"
            id={id}
            value={typed}
            maxLength={longestName}
            required
            aria-invalid={error ? true : undefined}
            aria-describedby={error || hint ? `${id}-said` : undefined}
            data-testid={partId(testId, 'view-name')}
            onChange={event => setTyped(event.target.value)}
          />
          <p className={error ? 'field__error' : 'field__hint'} id={`${id}-said`} role={error ? 'alert' : undefined}>
            {error ?? hint}
          </p>
        </div>
        <div className="form__actions">
          <button className="button button--primary" type="submit" data-testid={partId(testId, 'save-view-go')}>
            <span className="button__text">{title}</span>
          </button>
          <button className="button" type="button" data-testid={partId(testId, 'save-view-cancel')} onClick={onClose}>
            <span className="button__text">{word('confirm.cancel')}</span>
          </button>
        </div>
      </form>
    </Dialog>
  );
}
