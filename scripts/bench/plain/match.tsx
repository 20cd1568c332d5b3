import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { type MatchItem, matchItems, matchOptions } from '../browser/specimens.ts';
import { PlainStatus } from './marks.tsx';

type Held = { readonly option: string | null; readonly ignored: boolean };

const titles = new Map(matchOptions.map(({ id, name }) => [id, name]));

/**
 * A list that matches items with options in plain React, to compare the portal's own with: every row drawn, rows
 * memoised.
 */
export function PlainMatch() {
  const [words, setWords] = useState('');
  const [held, setHeld] = useState<ReadonlyMap<string, Held>>(
    () => new Map(matchItems.map(({ id, option }) => [id, { option, ignored: false }])),
  );
  const wanted = useDeferredValue(words).toLowerCase();
  const found = useMemo(() => matchItems.filter(({ name }) => name.toLowerCase().includes(wanted)), [wanted]);
  const set = useCallback((id: string, next: Held) => setHeld(all => new Map(all).set(id, next)), []);
  return (
    <>
      <div className="toolbar">
        <div className="search">
          <label className="visually-hidden" htmlFor="search">
            Search customers
          </label>
          <input
            className="input"
            id="search"
            type="search"
            value={words}
            onChange={event => setWords(event.target.value)}
          />
        </div>
      </div>
      <div className="table-block">
        <table className="table" aria-label="Customers">
          <thead>
            <tr>
              {['Customer', 'Status', 'Customer there', ''].map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map(item => (
              <PlainRow key={item.id} item={item} held={held.get(item.id) as Held} set={set} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

type PlainRowProps = {
  readonly item: MatchItem;
  readonly held: Held;
  set(id: string, next: Held): void;
};

const PlainRow = memo(function PlainRow({ item, held, set }: PlainRowProps) {
  const status = held.ignored ? 'Suspended' : held.option === null ? 'Activating' : 'Active';
  return (
    <tr>
      <th scope="row" className="cell-lead">
        {item.name}
      </th>
      <td>
        <PlainStatus status={status} />
      </td>
      <td>
        <input
          className="input"
          aria-label={`Match ${item.name} with`}
          list="options"
          disabled={held.ignored}
          defaultValue={titles.get(held.option ?? '') ?? ''}
        />
        {item.suggestion === null || held.option !== null ? null : (
          <button
            className="linkbutton"
            type="button"
            onClick={() => set(item.id, { option: item.suggestion, ignored: false })}
          >
            Use {titles.get(item.suggestion)}
          </button>
        )}
      </td>
      <td>
        <button
          className="button button--small"
          type="button"
          data-testid={`matches-row-${item.id}-ignore`}
          onClick={() => set(item.id, { ...held, ignored: !held.ignored })}
        >
          <span className="button__text">{held.ignored ? 'Stop ignoring' : 'Ignore'}</span>
        </button>
      </td>
    </tr>
  );
});
