import type { ReactNode } from 'react';
import type { Run } from '../../runtime/effects/effects.ts';
import { Message } from '../../runtime/effects/message.tsx';
import { UnknownOutcome } from '../../runtime/effects/unknown-outcome.tsx';
import { roles } from './roles.ts';

type TroubleProps = { readonly id: string; readonly of: Run };

/**
 * Shows in a message that an action of a table's row failed. Where its outcome is not known, offers to look first and
 * to send it again.
 */
export function RowTrouble({ id, of: { failure, unknown, reference, again } }: TroubleProps): ReactNode {
  if (unknown !== undefined)
    return <UnknownOutcome id={id} text={unknown} reference={reference} again={() => void again()} />;
  return <Message kind="bad" text={failure ?? ''} reference={reference} />;
}

type TroubleRowProps = { readonly columns: number; readonly children: ReactNode };

/** A table row that spans all columns, for a message below the row that it is about. */
export function TroubleRow({ columns, children }: TroubleRowProps): ReactNode {
  return (
    <tr {...roles.row} className="row-trouble">
      <td {...roles.cell} colSpan={columns}>
        {children}
      </td>
    </tr>
  );
}
