import type { ReactNode } from 'react';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { usePopover } from '../../look/popover.ts';
import { useWord } from '../../runtime/state/values.ts';
import { Calendar } from './calendar.tsx';
import { type Day, isoDay } from './moments.ts';

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
 * A button behind the input in which a day is typed: it opens the portal's own calendar. A browser's date control would
 * write days as the device does.
 */
export function DayPicker({ label, day, min, max, disabled, testId, onPick }: DayPickerProps): ReactNode {
  const { open, show, hide, anchor, panel } = usePopover<HTMLDivElement>();
  const pick = useWord('date-time.pick', { field: label });
  return (
    <>
      <button
        ref={anchor}
        className="button button--icon button--quiet"
        type="button"
        aria-label={pick}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-testid={testId}
        disabled={disabled}
        onClick={() => (open ? hide() : show())}
      >
        <Icon name="calendar" />
      </button>
      {open && (
        <Calendar
          label={pick}
          day={day && isoDay(day)}
          min={min}
          max={max}
          panel={panel}
          testId={partId(testId, 'calendar')}
          onPick={picked => {
            hide(true);
            onPick(picked);
          }}
        />
      )}
    </>
  );
}
