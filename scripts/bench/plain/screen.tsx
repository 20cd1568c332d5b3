import { memo, useCallback, useRef, useState } from 'react';
import { type Row, rows, smallForm } from '../browser/specimens.ts';
import { PlainForm } from './form.tsx';
import { money, PlainStatus } from './marks.tsx';

const tabs = ['Services', 'Users', 'Activity'];
const shown = rows.slice(0, 25);

/** A screen as one writes it by hand: tabs, 25 rows with two buttons each, a form in a dialog. */
export function PlainScreen() {
  const [tab, setTab] = useState(0);
  const [open, setOpen] = useState<Row>();
  const dialog = useRef<HTMLDialogElement>(null);
  const edit = useCallback((row: Row) => {
    setOpen(row);
    dialog.current?.showModal();
  }, []);
  const close = (): void => {
    dialog.current?.close();
    setOpen(undefined);
  };
  return (
    <>
      <h1>Customer</h1>
      <div className="tabs" role="tablist" aria-label="Parts">
        {tabs.map((title, index) => (
          <button
            key={title}
            className="tab"
            role="tab"
            type="button"
            aria-selected={index === tab}
            tabIndex={index === tab ? 0 : -1}
            onClick={() => setTab(index)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={tabs[tab]}>
        {tab === 0 ? shown.map(row => <PlainCard key={row.Id} row={row} onEdit={edit} />) : <p>{tabs[tab]}</p>}
      </div>
      <dialog className="dialog" ref={dialog} aria-label="Edit" onClose={() => setOpen(undefined)}>
        {open ? (
          <>
            <h2>{open.Name}</h2>
            <PlainForm fields={smallForm} onSubmit={close} />
          </>
        ) : null}
      </dialog>
    </>
  );
}

type PlainCardProps = { readonly row: Row; readonly onEdit: (row: Row) => void };

const PlainCard = memo(function PlainCard({ row, onEdit }: PlainCardProps) {
  return (
    <section className="card">
      <div className="card__body">
        <h3>{row.Name}</h3>
        <p>{row.Domain}</p>
        <PlainStatus status={row.Status} />
        <p>{money.format(row.MonthlySpend)}</p>
        <div className="row">
          <button className="button button--small" type="button" onClick={() => onEdit(row)}>
            <span className="button__text">Edit</span>
          </button>
          <button className="button button--small" type="button" onClick={() => onEdit(row)}>
            <span className="button__text">Rename</span>
          </button>
        </div>
      </div>
    </section>
  );
});
