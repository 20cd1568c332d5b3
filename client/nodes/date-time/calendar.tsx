import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../look/icon.tsx';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { useWords } from '../../runtime/state/values.ts';
import { addDays, addMonths, dateOf, dayOf, firstDayOfWeek, isoDay, weeksOf } from './moments.ts';

addStyles(`
  .calendar { width: max-content; padding: var(--s-2); background: var(--raised); border-radius: var(--r-l); box-shadow: var(--shadow-menu); z-index: var(--z-menu); color: var(--text); }
  .calendar__head { display: flex; align-items: center; justify-content: space-between; padding-bottom: var(--s-1); font-weight: var(--w-medium); }
  .calendar table { border-spacing: 0; font-variant-numeric: tabular-nums; }
  .calendar :is(th, td) { padding: 1px; text-align: center; }
  .calendar th { padding-bottom: var(--s-1); color: var(--text-3); font-size: var(--t-xs); font-weight: var(--w-medium); }
  .calendar td button { width: var(--control-m); height: var(--control-m); border-radius: var(--r-m); color: inherit; }
  .calendar td button:hover { background: var(--hover); }
  .calendar .is-other { color: var(--text-3); }
  .calendar [aria-current] { box-shadow: inset 0 0 0 1px var(--line-control); }
  .calendar [aria-selected=true] > button { background: var(--accent-fill); color: var(--on-accent); }
  .calendar td [aria-disabled=true] { color: var(--text-off); background: none; cursor: not-allowed; }
`);

export type CalendarProps = {
  readonly label: string;
  /** The chosen day, and the first and last that can be chosen, as YYYY-MM-DD. */
  readonly day: string | undefined;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly testId: string | undefined;
  /** Takes the day as YYYY-MM-DD. */
  readonly onPick: (day: string) => void;
};

/**
 * A month in which the user picks a day. Arrows go by day and week, Home and End to the ends of the week, Page Up and
 * Page Down by month, and with Shift by year.
 */
export function Calendar({ label, day, min, max, panel, testId, onPick }: CalendarProps): ReactNode {
  const word = useWords();
  const titleId = useId();
  const { locale, timeZone } = usePortalObject().boot.get().principal;
  const today = dayOf(new Date(), timeZone);
  const [at, setAt] = useState(() => dateOf(day ?? within(today, min, max)));
  const takesFocus = useRef(true);
  const isOut = (iso: string): boolean => within(iso, min, max) !== iso;
  const go = (next: Date, focus: boolean): void => {
    takesFocus.current = focus;
    setAt(next);
  };
  // Whoever turns the pages with the buttons stays at them.
  useEffect(() => {
    const button = panel.current?.querySelector<HTMLElement>(`[data-day="${isoDay(at)}"]`);
    if (takesFocus.current) button?.focus();
  }, [panel, at]);

  const start = firstDayOfWeek(locale);
  const weeks = weeksOf(at, start);
  const onKey = (event: KeyboardEvent): void => {
    const next = moveByKey(at, event, start);
    if (!next) return;
    event.preventDefault();
    go(next, true);
  };
  const write = (date: Date, options: Intl.DateTimeFormatOptions): string => date.toLocaleDateString(locale, options);
  const turn = (by: number, name: string, icon: string) => (
    <button
      className="button button--icon button--quiet"
      type="button"
      aria-label={word(`date-time.${name}`)}
      data-testid={partId(testId, name)}
      onClick={() => go(addMonths(at, by), false)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div
      ref={panel}
      className="popover calendar"
      role="dialog"
      aria-label={label}
      popover="manual"
      tabIndex={-1}
      data-testid={testId}
    >
      <div className="calendar__head">
        {turn(-1, 'previous', 'chevron-left')}
        <span id={titleId} aria-live="polite">
          {write(at, { month: 'long', year: 'numeric' })}
        </span>
        {turn(1, 'next', 'chevron-right')}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days is a table whose cells are chosen */}
      <table role="grid" aria-labelledby={titleId} onKeyDown={onKey}>
        <thead>
          <tr>
            {weeks[0]?.map(date => (
              <th key={date.getDay()} scope="col" abbr={write(date, { weekday: 'long' })}>
                {write(date, { weekday: 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(week => (
            <tr key={isoDay(week[0] as Date)}>
              {week.map(date => {
                const iso = isoDay(date);
                return (
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
                  // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus
                  <td key={iso} role="gridcell" aria-selected={iso === day}>
                    <button
                      type="button"
                      className={date.getMonth() === at.getMonth() ? undefined : 'is-other'}
                      tabIndex={iso === isoDay(at) ? 0 : -1}
                      aria-label={write(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
                      aria-current={iso === today ? 'date' : undefined}
                      aria-disabled={isOut(iso) || undefined}
                      data-day={iso}
                      data-testid={partId(testId, iso)}
                      onClick={() => isOut(iso) || onPick(iso)}
                    >
                      {date.getDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Days as YYYY-MM-DD sort as text. */
function within(day: string, min: string | undefined, max: string | undefined): string {
  if (max !== undefined && day > max) return max;
  return min !== undefined && day < min ? min : day;
}

function moveByKey(at: Date, { key, shiftKey }: KeyboardEvent, start: number): Date | undefined {
  const past = (at.getDay() - start + 7) % 7;
  const months = shiftKey ? 12 : 1;
  if (key === 'ArrowLeft') return addDays(at, -1);
  if (key === 'ArrowRight') return addDays(at, 1);
  if (key === 'ArrowUp') return addDays(at, -7);
  if (key === 'ArrowDown') return addDays(at, 7);
  if (key === 'Home') return addDays(at, -past);
  if (key === 'End') return addDays(at, 6 - past);
  if (key === 'PageUp') return addMonths(at, -months);
  if (key === 'PageDown') return addMonths(at, months);
  return undefined;
}
