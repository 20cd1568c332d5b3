import type { ReactNode } from 'react';
import { Failure } from '../../look/failure.tsx';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { TicketOffer } from '../../runtime/effects/ticket-offer.tsx';
import type { Speech } from '../../runtime/state/speech.ts';
import type { HeldFile } from './held-files.ts';

type RowProps = {
  readonly held: HeldFile;
  readonly size: string;
  readonly word: Speech['word'];
  /** True where it is one of several, so that its progress and its refusal stand with it. */
  readonly isMany: boolean;
  readonly testId: string | undefined;
  /** Undefined while it cannot be taken out. */
  readonly remove: (() => void) | undefined;
};

/** A file that was chosen: its name and size, how far it is sent, why it was refused, and its removal. */
export function HeldFileRow({ held, size, word, isMany, testId, remove }: RowProps): ReactNode {
  const { file, share, refusal, reference, isTaken } = held;
  return (
    <div>
      <div className="row" data-testid={partId(testId, 'chosen')}>
        <Icon name={isTaken ? 'check' : 'file'} />
        <b style={{ overflowWrap: 'anywhere' }}>{file.name}</b>
        <span className="field__hint">{size}</span>
        {isTaken && <span className="field__hint">{word('file.taken')}</span>}
        {isMany && share !== undefined && (
          <progress
            // Without a value it says that the answer is waited for.
            {...(share < 1 && { value: share })}
            max={1}
            aria-label={word('file.sendingOf', { name: file.name })}
            data-testid={partId(testId, 'progress')}
          />
        )}
        {remove && (
          <button
            className="button button--icon button--quiet"
            type="button"
            aria-label={word('file.remove', { name: file.name })}
            data-testid={partId(testId, 'remove')}
            onClick={remove}
          >
            <Icon name="x" />
          </button>
        )}
      </div>
      <Failure text={refusal} />
      <TicketOffer reference={reference} />
    </div>
  );
}
