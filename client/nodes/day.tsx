import { type ReactNode, useId, useState } from 'react';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { usePlace } from '../runtime/effects/navigation.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useSpeech } from '../runtime/state/values.ts';
import { DayPicker } from './date-time/day-picker.tsx';
import { isoDay, readDay } from './date-time/moments.ts';

addStyles(`
  .chip--day { padding-inline-end: 3px; }
  .chip--day > .input { width: 5.75rem; height: 100%; padding: 0; border: 0; background: none; font-variant-numeric: tabular-nums; }
  .chip--day > .button { height: calc(var(--control-m) - 8px); width: calc(var(--control-m) - 8px); border-radius: var(--r-full); }
`);

/**
 * A date input that filters a list; the day is kept in the address or the page's state as YYYY-MM-DD. It is typed in
 * the caller's language, and applied when the input is left or Enter is pressed, or picked from a calendar. Text that
 * is no day stays in the input and changes nothing.
 */
export function Day({ node, scope }: NodeProps<'day'>): ReactNode {
  const id = useId();
  const speech = useSpeech();
  const [value, set] = usePlace(node.path, node.resets);
  const kept = value?.toString() ?? '';
  const write = (sent: string) => ({ sent, text: sent && speech.format(sent, 'date') });
  const [typed, setTyped] = useState(() => write(kept));
  const [isFocused, setFocused] = useState(false);
  if (typed.sent !== kept) setTyped(write(kept));
  const day = readDay(typed.text, speech)?.day;
  const label = speech.text(node.label, node.values, scope);

  const take = (next: string): void => {
    setTyped(write(next));
    if (next !== kept) set(next || undefined, { replace: true });
  };
  const takeTyped = (): void => {
    if (typed.text === '') take('');
    else if (day) take(isoDay(day));
  };
  return (
    <div className={kept === '' ? 'chip chip--day' : 'chip chip--day chip--on'}>
      <label htmlFor={id}>{label}:</label>
      <input
        id={id}
        className="input"
        inputMode="numeric"
        autoComplete="off"
        // A day that nobody chose must not look like one that narrows the list.
        placeholder={isFocused ? speech.format(isoDay(new Date()), 'date') : speech.word('day.any')}
        aria-invalid={(typed.text !== '' && !day) || undefined}
        value={typed.text}
        data-testid={node.testId}
        onChange={({ target }) => setTyped({ sent: kept, text: target.value })}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          takeTyped();
        }}
        onKeyDown={event => event.key === 'Enter' && takeTyped()}
      />
      <DayPicker label={label} day={day} testId={partId(node.testId, 'pick')} onPick={take} />
    </div>
  );
}
