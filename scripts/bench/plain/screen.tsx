import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type Row, rows, smallForm } from '../browser/specimens.ts';
import { PlainForm } from './form.tsx';
import { money, PlainStatus } from './marks.tsx';

const tabs = ['Services', 'Users', 'Activity'];
const shown = rows.slice(0, 25);

/**
 * A screen in plain React, to compare the portal's own with: tabs, 25 rows with two buttons each, a form in a dialog.
 */
export function PlainScreen() {
  const [tab, setTab] = useState(0);
  const [open, setOpen] = useState<Row>();
  const edit = useCallback((row: Row) => setOpen(row), []);
  const close = useCallback(() => setOpen(undefined), []);
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
      {open ? <PlainDialog title={open.Name} onClose={close} /> : null}
    </>
  );
}

type PlainDialogProps = { readonly title: string; readonly onClose: () => void };

/** A dialog as one writes it by hand: its first field has the focus, and what opened it gets it back. */
function PlainDialog({ title, onClose }: PlainDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>('.dialog__body :is(input, select)')?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog className="dialog dialog--medium" ref={dialog} aria-labelledby="title" onClose={onClose}>
      <div className="dialog__head">
        <h2 id="title">{title}</h2>
        <button className="button button--icon button--quiet" type="button" aria-label="Close" onClick={onClose}>
          <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d="m5 5 10 10M15 5 5 15" />
          </svg>
        </button>
      </div>
      <div className="dialog__body">
        <PlainForm fields={smallForm} onSubmit={onClose} />
      </div>
    </dialog>
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
