import type { ReactNode } from 'react';
import type { DocumentErrors } from '../../../shared/contract/realtime.ts';
import { Icon } from '../../look/icon.tsx';
import { usePortalObject } from '../state/portal.ts';
import { useWord } from '../state/values.ts';

/**
 * Shows, to those who edit the documents of layouts, the errors in them as saved; the page stays on the last good
 * version.
 */
export function DocumentErrorsNotice({ found: { errors, others } }: { readonly found: DocumentErrors }): ReactNode {
  const { documentErrors } = usePortalObject();
  const title = useWord('documentErrors.title');
  const othersText = useWord('documentErrors.others', { count: others });
  const dismissText = useWord('toast.dismiss');
  return (
    <div className="toast toast--bad" data-testid="document-errors">
      <Icon name="x-circle" />
      <div className="toast__text">
        <b>{title}</b>
        {errors.map(({ file, line, column, message }) => (
          <p key={`${file}:${line}:${column}:${message}`}>
            {`${file}:${line}:${column}`}
            <br />
            {message}
          </p>
        ))}
        {others > 0 && <p>{othersText}</p>}
      </div>
      <button
        className="button button--icon button--quiet button--small"
        type="button"
        aria-label={dismissText}
        data-testid="document-errors-dismiss"
        onClick={() => documentErrors.set(undefined)}
      >
        <Icon name="x" />
      </button>
    </div>
  );
}
