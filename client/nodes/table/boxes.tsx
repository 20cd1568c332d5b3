import { type ReactNode, useId } from 'react';
import { partId } from '../../look/part-id.ts';
import type { Row } from '../../runtime/state/scope.ts';
import type { Speech } from '../../runtime/state/speech.ts';
import { useWord } from '../../runtime/state/values.ts';
import { roles } from './roles.ts';
import type { SelectionActions } from './use-selection.ts';

type RowBoxProps = {
  readonly row: Row;
  readonly id: string;
  /** The name of the row in words. */
  readonly name: string;
  readonly isChosen: boolean;
  readonly choose: SelectionActions['choose'];
  readonly speech: Speech;
  readonly testId: string | undefined;
};

/** The checkbox by which a row of a table is selected. */
export function RowBox({ row, id, name, isChosen, choose, speech, testId }: RowBoxProps): ReactNode {
  return (
    <td {...roles.cell} className="cell-check">
      <label className="check">
        <input
          type="checkbox"
          aria-label={speech.word('bulk.selectRow', { name })}
          value={id}
          data-testid={partId(testId, 'select-row')}
          checked={isChosen}
          onChange={event => choose(row, event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
    </td>
  );
}

type PageBoxProps = {
  readonly chosen: 'none' | 'some' | 'all';
  readonly choosePage: SelectionActions['choosePage'];
  readonly testId: string | undefined;
  readonly id?: string;
};

/** The checkbox by which all rows of a table's page are selected. */
export function PageBox({ chosen, choosePage, testId, id }: PageBoxProps): ReactNode {
  return (
    <input
      id={id}
      type="checkbox"
      aria-label={useWord('bulk.selectPage')}
      data-testid={partId(testId, 'select-page')}
      ref={box => {
        if (box) box.indeterminate = chosen === 'some';
      }}
      checked={chosen === 'all'}
      onChange={event => choosePage(event.target.checked)}
    />
  );
}

/** `PageBox` with a label, for narrow pages, where rows are drawn as cards and the table has no head. */
export function PageBoxOfCards(props: Omit<PageBoxProps, 'id'>): ReactNode {
  const id = useId();
  const text = useWord('bulk.selectAll');
  return (
    <label className="chip" htmlFor={id}>
      <span className="check">
        <PageBox {...props} id={id} testId={partId(props.testId, 'cards')} />
      </span>
      {text}
    </label>
  );
}
