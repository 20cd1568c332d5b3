import type { ReactNode } from 'react';
import { interpolate } from '../../shared/rules/text.ts';
import { addStyles } from '../look/late-styles.ts';
import { Pence } from '../look/money.tsx';
import { partId } from '../look/part-id.ts';
import { type Control, optionsOf } from './field/control.tsx';

addStyles(`
  .cards { display: grid; gap: var(--s-2); grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); }
  .cards .check { align-content: start; padding: var(--s-3) var(--s-4) var(--s-4) var(--s-3); }
  .cards__amount { grid-column: 2; margin-top: var(--s-1); font-size: var(--t-xl); line-height: var(--lh-xl); letter-spacing: var(--track-tight); font-weight: var(--w-bold); font-variant-numeric: tabular-nums; }
  .cards__amount small { font-size: var(--t-m); font-weight: var(--w-normal); }
  .cards .check__hint { white-space: pre-line; }
`);

/** The options of a radio field side by side: what each is called, what it costs, and what is said of it line by line. */
export function Cards({ field, id, value, isOff, isWrong, onValue, onLeave }: Control): ReactNode {
  return (
    <div className="cards">
      {optionsOf(field).map((option, index) => (
        <label key={String(option.value)} className="check check--box">
          <input
            type="radio"
            // The first one is where the focus goes when the choice is missing.
            id={index === 0 ? id : undefined}
            name={id}
            data-testid={partId(field.testId, String(option.value))}
            checked={value === option.value}
            disabled={isOff || field.readOnly}
            aria-invalid={isWrong || undefined}
            required={field.mandatory}
            onChange={() => onValue(option.value)}
            onBlur={onLeave}
          />
          <b>{interpolate(option.text, {})}</b>
          {option.amount && (
            <span className="cards__amount">
              <Pence text={interpolate(option.amount, {})} />
            </span>
          )}
          {option.hint && <span className="check__hint">{interpolate(option.hint, {})}</span>}
        </label>
      ))}
    </div>
  );
}
