import { memo, useDeferredValue, useMemo, useState } from 'react';
import { type Row, rows } from '../browser/specimens.ts';
import { money, PlainStatus } from './marks.tsx';

const titles = ['Customer', 'Domain', 'Status', 'Users', 'Per month', 'Number'];

/** A table in plain React, to compare the portal's own with: every row drawn, rows memoised, a search box above. */
export function PlainTable() {
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words).toLowerCase();
  const found = useMemo(() => rows.filter(row => row.Name.toLowerCase().includes(wanted)), [wanted]);
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
              {titles.map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map(row => (
              <PlainRow key={row.Id} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const PlainRow = memo(function PlainRow({ row }: { readonly row: Row }) {
  return (
    <tr>
      <th scope="row" className="cell-lead">
        <div className="lead">
          <div className="lead__text">
            <span>{row.Name}</span>
          </div>
        </div>
      </th>
      <td data-label="Domain">{row.Domain}</td>
      <td data-label="Status">
        <PlainStatus status={row.Status} />
      </td>
      <td className="cell-num" data-label="Users">
        {row.Users}
      </td>
      <td className="cell-num" data-label="Per month">
        {money.format(row.MonthlySpend)}
      </td>
      <td data-label="Number">{row.Id}</td>
    </tr>
  );
});
