import { memo, type ReactNode } from 'react';
import { addStyles } from '../../look/late-styles.ts';
import { StatusMark } from '../../look/status-mark.tsx';
import type { Row } from '../../runtime/state/scope.ts';
import { useWord } from '../../runtime/state/values.ts';
import type { RowResult, RowResults } from './bulk-run.ts';

addStyles(`
  .bulk-results { max-height: 300px; overflow: auto; border: 1px solid var(--line); border-radius: var(--r-m); }
  .bulk-results > li { padding: var(--s-15) var(--s-3); gap: 0 var(--s-3); }
`);

const kinds = { waiting: 'off', running: 'wait', done: 'ok', undone: 'off', failed: 'bad', unknown: 'bad' } as const;

type LineProps = { readonly name: string; readonly note: string | undefined; readonly result: RowResult | undefined };

/** One row and how it went; drawn again only when that changes. */
const Line = memo(function Line({ name, note, result }: LineProps): ReactNode {
  const { state, reason } = result ?? { state: 'waiting' as const };
  const text = useWord(`bulk.${state}`);
  return (
    <li>
      <span className="list__text">{name}</span>
      {result && <StatusMark text={text} kind={kinds[state]} moving={state === 'running'} />}
      {note && <small>{note}</small>}
      {reason && <small>{reason}</small>}
    </li>
  );
});

type ListProps = {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** Tells of a row what follows for it, before it begins. */
  readonly notesOf: ((row: Row) => readonly string[]) | undefined;
  readonly results: RowResults;
  readonly isBegun: boolean;
  readonly testId: string | undefined;
};

const waiting: RowResult = { state: 'waiting' };

/** The list of rows that an action on several rows is for, with each row's result. */
export function ResultList({ rows, keyOf, nameOf, notesOf, results, isBegun, testId }: ListProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keys.
    <ul className="list bulk-results" tabIndex={0} data-testid={testId}>
      {rows.map(row => {
        const key = keyOf(row);
        const result = results.get(key) ?? (isBegun ? waiting : undefined);
        return <Line key={key} name={nameOf(row)} note={notesOf?.(row).join(' ')} result={result} />;
      })}
    </ul>
  );
}
