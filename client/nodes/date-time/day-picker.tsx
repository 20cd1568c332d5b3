import { type ReactNode, useRef } from 'react';
import { Icon } from '../../look/icon.tsx';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { useWord } from '../../runtime/values.ts';
import { type Day, isoDay } from './moments.ts';

addStyles(`
  .picked-day { position: absolute; inset: 0; z-index: -1; opacity: 0; pointer-events: none; }
`);

type DayPickerProps = {
  /** What the day is of. */
  readonly label: string;
  readonly day: Day | undefined;
  /** First and last day that can be picked, as YYYY-MM-DD. */
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly testId: string | undefined;
  /** Takes the day as YYYY-MM-DD. */
  readonly onPick: (day: string) => void;
};

/**
 * A button behind the input in which a day is typed: it opens the browser's calendar, which is never typed in itself,
 * since it writes days as the device does. Its parent is positioned.
 */
export function DayPicker({ label, day, min, max, disabled, testId, onPick }: DayPickerProps): ReactNode {
  const calendar = useRef<HTMLInputElement>(null);
  const pick = useWord('date-time.pick', { field: label });
  return (
    <>
      <input
        ref={calendar}
        className="picked-day"
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        data-testid={partId(testId, 'day')}
        value={day ? isoDay(day) : ''}
        min={min}
        max={max}
        onChange={({ target }) => target.value !== '' && onPick(target.value)}
      />
      <button
        className="button button--icon button--quiet"
        type="button"
        aria-label={pick}
        data-testid={testId}
        disabled={disabled}
        onClick={() => calendar.current?.showPicker?.()}
      >
        <Icon name="calendar" />
      </button>
    </>
  );
}
