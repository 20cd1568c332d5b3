import { type FocusEvent, type ReactNode, useState } from 'react';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { type Control, textOf } from '../field/control.tsx';
import { DayPicker } from './day-picker.tsx';
import { dayOf, isIsoDay, isoDay, momentAt, quartersOf, readDay, readMoment, timeOf, writeMoment } from './moments.ts';

addStyles(`
  .date-time { display: flex; flex-wrap: wrap; gap: var(--s-2); }
  .date-time .input-group { flex: 1 1 9rem; }
  .date-time .input-group:only-child { max-width: 14rem; }
  .date-time .select { flex: 0 1 7rem; width: auto; font-variant-numeric: tabular-nums; }
`);

/** What is in the two inputs, and the value of the form that they stand for. */
type Typed = { readonly sent: string; readonly day: string; readonly time: string };

/**
 * A day, with a time of the caller's time zone where the field is of that kind (document 1, section 5: day-month-year,
 * 24 hours, steps of 15 minutes). The day is typed as the caller's language writes it, with or without a time behind it,
 * or picked from a calendar; the time is chosen. The value is YYYY-MM-DD, or a moment of RFC 3339 in UTC; what makes none
 * is kept as it was typed.
 */
export function DateControl(props: Control): ReactNode {
  const { field, id, value, label, speech, isOff, isWrong, describedBy, onValue, onLeave } = props;
  const written = textOf(value);
  const hasTime = field.kind === 'date-time';
  const [typed, setTyped] = useState<Typed>(() => readTyped(written, speech));
  // A draft, another first value or a reset of the form has changed it.
  if (typed.sent !== written) setTyped(readTyped(written, speech));
  const day = readDay(typed.day, speech)?.day;
  const bounds = { min: field.min, max: field.max };
  const { timeZone } = speech;
  const quarters = quartersOf(day, bounds, timeZone);
  const isFixed = isOff || field.readOnly;

  const change = (text: string, time: string): void => {
    const read = readDay(text, speech);
    const at = (hasTime && read?.time) || time;
    const value =
      read && (hasTime ? at && writeMoment(momentAt(read.day, at, timeZone)) : !read.time && isoDay(read.day));
    const sent = value || [text, time].filter(Boolean).join(' ');
    setTyped({ sent, day: text, time: at });
    onValue(sent);
  };
  const pick = (picked: string): void => {
    change(speech.format(picked, 'date'), hasTime ? typed.time || '00:00' : '');
  };
  const leave = (event: FocusEvent): void => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    if (isIsoDay(written) || readMoment(written)) setTyped(readTyped(written, speech));
    onLeave(event);
  };
  const shared = {
    disabled: isOff || undefined,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': describedBy,
    'aria-required': field.mandatory || undefined,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be named by a legend, and fields have labels
    <div className="date-time" role="group" aria-label={label} onBlur={leave}>
      <div className={isOff ? 'input-group input-group--off' : 'input-group'}>
        <input
          {...shared}
          id={id}
          name={field.propertyName}
          className="input"
          inputMode="numeric"
          autoComplete="off"
          placeholder={
            props.placeholder ||
            speech.word('date-time.such', { day: speech.format(dayOf(new Date(), timeZone), 'date') })
          }
          value={typed.day}
          readOnly={field.readOnly}
          data-testid={field.testId}
          onChange={event => change(event.target.value, typed.time)}
        />
        <DayPicker
          label={label}
          day={day}
          min={dayOfBound(bounds.min, timeZone)}
          max={dayOfBound(bounds.max, timeZone)}
          disabled={isFixed}
          testId={partId(field.testId, 'pick')}
          onPick={pick}
        />
      </div>
      {hasTime && (
        <select
          {...shared}
          className="select"
          aria-label={speech.word('date-time.time', { field: label })}
          data-testid={partId(field.testId, 'time')}
          disabled={isFixed || undefined}
          value={typed.time}
          onChange={event => change(typed.day, event.target.value)}
        >
          <option value="">{speech.word('date-time.none')}</option>
          {!quarters.some(quarter => timeOf(quarter, timeZone) === typed.time) && typed.time !== '' && (
            <option value={typed.time}>{typed.time}</option>
          )}
          {quarters.map(quarter => (
            <option key={timeOf(quarter, timeZone)} value={timeOf(quarter, timeZone)}>
              {speech.format(quarter.toISOString(), 'time')}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

const dayOfBound = (bound: unknown, timeZone: string | undefined): string | undefined => {
  if (isIsoDay(textOf(bound))) return textOf(bound);
  const moment = new Date(textOf(bound));
  return Number.isNaN(moment.getTime()) ? undefined : dayOf(moment, timeZone);
};

function readTyped(sent: string, speech: Control['speech']): Typed {
  const moment = readMoment(sent);
  if (moment) return { sent, day: speech.format(sent, 'date'), time: timeOf(moment, speech.timeZone) };
  if (isIsoDay(sent)) return { sent, day: speech.format(sent, 'date'), time: '' };
  const [, day = sent, time = ''] = /^(.*?)(?: ?(\d\d:\d\d))?$/s.exec(sent) ?? [];
  return { sent, day, time };
}
