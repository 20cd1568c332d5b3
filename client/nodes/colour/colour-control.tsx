import type { ReactNode } from 'react';
import { contrastsOf, failuresOf, nearestLegible, shadesOf } from '../../../shared/rules/accent.ts';
import { accentPattern } from '../../../shared/rules/accent-pattern.ts';
import { partId } from '../../look/part-id.ts';
import type { Control } from '../field/control.tsx';

const isColour = new RegExp(accentPattern);
/** The words of the offer are longer than a phone is wide. */
const wrapped = {
  blockSize: 'auto',
  minBlockSize: 'var(--control-m)',
  paddingBlock: 'var(--s-1)',
  whiteSpace: 'normal',
  textAlign: 'start',
} as const;
const swatch = { inlineSize: 'var(--control-m)', blockSize: 'var(--control-m)', borderRadius: 'var(--r-s)' } as const;

/** The shades that are made of an accent: darker, itself, lighter, and it at 0.15 opacity. */
function Shades({ hex }: { readonly hex: string }): ReactNode {
  const { lighter, darker } = shadesOf(hex);
  return (
    <svg width="128" height="24" viewBox="0 0 128 24" aria-hidden="true">
      {[darker, hex, lighter, hex].map((shade, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not shades
        <rect key={at} x={at * 32} width="28" height="24" rx="4" fill={`#${shade}`} opacity={at === 3 ? 0.15 : 1} />
      ))}
    </svg>
  );
}

/**
 * The input of a colour: the browser's picker beside six digits. What cannot be read in one of the themes is said, with
 * the nearest colour that can, which one press takes.
 */
export function ColourControl({
  field,
  id,
  value,
  label,
  speech,
  isOff,
  isWrong,
  describedBy,
  onValue,
  onLeave,
}: Control): ReactNode {
  const { word, format } = speech;
  const typed = String(value ?? '').replace(/^#/, '');
  const hex = isColour.test(typed) ? typed.toLowerCase() : undefined;
  const [failure] = hex === undefined ? [] : failuresOf(hex);
  const nearest = hex !== undefined && failure ? nearestLegible(hex) : undefined;
  const least = hex === undefined ? 0 : Math.min(...contrastsOf(hex).map(({ ratio }) => ratio));
  const ratio = (number: number) => format(Math.floor(number * 10) / 10, 'number');
  return (
    <>
      <div className="row">
        <input
          type="color"
          aria-label={word('colour.pick', { label })}
          style={swatch}
          value={`#${hex ?? '000000'}`}
          disabled={isOff}
          data-testid={partId(field.testId, 'picker')}
          onChange={event => onValue(event.target.value.slice(1))}
        />
        <div className="input-group" style={{ inlineSize: '9rem' }}>
          <span className="input-group__add" aria-hidden="true">
            #
          </span>
          <input
            id={id}
            name={field.propertyName}
            className="input"
            value={typed}
            maxLength={7}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            disabled={isOff || undefined}
            required={field.mandatory}
            aria-invalid={isWrong || undefined}
            aria-describedby={`${describedBy ?? ''} ${id}-contrast`.trim()}
            data-testid={field.testId}
            onChange={event => onValue(event.target.value.replace(/^#/, ''))}
            onBlur={onLeave}
          />
        </div>
        {hex && <Shades hex={hex} />}
      </div>
      <p className="field__hint" id={`${id}-contrast`} role="status">
        {failure
          ? word('colour.fails', { ratio: ratio(failure.ratio), least: String(failure.least) })
          : hex && word('colour.passes', { ratio: ratio(least) })}
      </p>
      {nearest && (
        <p>
          <button
            className="button"
            style={wrapped}
            type="button"
            data-testid={partId(field.testId, 'nearest')}
            onClick={() => onValue(nearest)}
          >
            <svg width="16" height="16" aria-hidden="true">
              <rect width="16" height="16" rx="4" fill={`#${nearest}`} />
            </svg>
            <span className="button__text">{word('colour.take', { colour: `#${nearest}` })}</span>
          </button>
        </p>
      )}
    </>
  );
}
