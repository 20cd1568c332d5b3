import { type RefObject, useEffect, useRef, useState } from 'react';

/** Up to this many rows are simply drawn. */
const few = 100;
/** Rows drawn beyond what is seen, and how many the window moves by. */
const overdrawn = 10;
/** Height of a row until one has been measured, in pixels (look: --row-h). */
const usual = 44;

type Window = {
  /** Rows from `from` up to, not including, `to` are drawn. */
  readonly from: number;
  readonly to: number;
  /** Heights of what is left out, in pixels. */
  readonly before: number;
  readonly after: number;
  readonly body: RefObject<HTMLTableSectionElement | null>;
};

/** Height of a drawn row on average: rows are lines on a wide page and cards on a phone. */
function measure(body: HTMLTableSectionElement): number {
  const rows = body.querySelectorAll('tr:not([aria-hidden])');
  const last = rows.length - 1;
  const top = rows[0]?.getBoundingClientRect().top ?? 0;
  const bottom = rows[last]?.getBoundingClientRect().bottom ?? 0;
  return bottom > top ? (bottom - top) / (last + 1) : usual;
}

/**
 * Hook that says which of a table's `count` rows to draw: of more than 100, those near the visible part of the window.
 */
export function useWindow(count: number): Window {
  const body = useRef<HTMLTableSectionElement>(null);
  const [{ first, height }, setPlace] = useState({ first: -overdrawn, height: usual });
  const isMany = count > few;

  useEffect(() => {
    if (!isMany) return;
    const move = () => {
      const rows = body.current;
      if (!rows) return;
      const tall = measure(rows);
      const at = Math.floor(-rows.getBoundingClientRect().top / tall / overdrawn) * overdrawn;
      setPlace(place =>
        place.first === at && Math.abs(place.height - tall) < 1 ? place : { first: at, height: tall },
      );
    };
    // Scrolling does not bubble; captured at the window it is heard from any part that scrolls.
    addEventListener('scroll', move, true);
    addEventListener('resize', move);
    return () => {
      removeEventListener('scroll', move, true);
      removeEventListener('resize', move);
    };
  }, [isMany]);

  if (!isMany) return { from: 0, to: count, before: 0, after: 0, body };
  const seen = Math.ceil(innerHeight / height);
  const from = Math.max(0, Math.min(first - overdrawn, count - seen));
  // The window moves once `first` is that many rows on.
  const to = Math.min(count, Math.max(0, first + overdrawn) + seen + overdrawn);
  return { from, to, before: from * height, after: (count - to) * height, body };
}
