import { type ReactNode, useState } from 'react';
import { type UnknownActionsProps, usePortalObject } from '../state/portal.ts';
import { useWord } from '../state/values.ts';
import { Message } from './message.tsx';

type UnknownProps = Omit<UnknownActionsProps, 'onChecked'> & { readonly text: string; readonly id?: string };

/**
 * Says that it is not known whether a press was carried out, and offers to look first. Sending again uses the same
 * idempotency key, so that it acts once.
 */
export function UnknownOutcome({ text, id, ...actions }: UnknownProps): ReactNode {
  const { UnknownActions } = usePortalObject();
  const checked = useWord('unknown.checked');
  const [isChecked, setChecked] = useState(false);
  return (
    <div id={id}>
      <Message kind="wait" urgent text={isChecked ? checked : text}>
        {UnknownActions && <UnknownActions {...actions} onChecked={() => setChecked(true)} />}
      </Message>
    </div>
  );
}
