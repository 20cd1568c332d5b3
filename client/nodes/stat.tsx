import type { ReactNode } from 'react';
import type { StatNode } from '../../shared/language/types.ts';
import { changeSince } from '../../shared/rules/change.ts';
import { isDecimal } from '../../shared/rules/money.ts';
import { fillAddress, readPath } from '../../shared/rules/path.ts';
import { addStyles } from '../look/late-styles.ts';
import { Pence } from '../look/money.tsx';
import { partId } from '../look/part-id.ts';
import { ValueBone } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { useLate } from '../look/use-late.ts';
import { sourceOf, useSource } from '../runtime/data/data-source.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { isAwaited } from '../runtime/state/joined-data.ts';
import { rowsOf, type Scope, withRow } from '../runtime/state/scope.ts';
import { useSpeech, useText } from '../runtime/state/values.ts';

addStyles(`
  .stat { display: grid; gap: var(--s-1); align-content: start; padding: var(--s-4) var(--s-5); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-l); min-width: 0; }
  .stat dt { color: var(--text-2); font-size: var(--t-s); }
  .stat dd { color: var(--text-2); font-size: var(--t-s); line-height: var(--lh-s); }
  .stat dt + dd { color: var(--text); font-size: var(--t-2xl); line-height: var(--lh-2xl); letter-spacing: var(--track-tight); font-weight: var(--w-bold); font-variant-numeric: tabular-nums; min-height: var(--lh-2xl); }
  .stat dt + dd small { font-size: var(--t-l); line-height: 1; font-weight: var(--w-normal); color: var(--text-2); }
  .spark { display: block; width: 100%; height: 32px; overflow: visible; margin-top: var(--s-1); }
  .spark path { fill: none; stroke: var(--chart-1); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; stroke-linecap: round; }
`);

/**
 * A large figure with a label, its change since an earlier value in sign and words, and its course as a small line
 * chart.
 */
export function Stat({ node, scope }: NodeProps<'stat'>): ReactNode {
  const speech = useSpeech();
  const label = useText(node.label, node.values, scope);
  const source = useSource(sourceOf(node.path));
  const isLate = useLate(source.loading && !source.envelope);
  const value = readPath(scope, node.path);
  const written = speech.format(value, node.format);
  const href = node.to && fillAddress(node.to, scope);
  const figure = node.format === 'currency' ? <Pence text={written} /> : written;

  if (source.failed !== undefined && !source.envelope)
    return (
      <div className="stat">
        <Trouble of={{ ...source, failed: `${label}: ${source.failed}` }} />
      </div>
    );
  return (
    <dl className="stat" aria-busy={source.loading || undefined} data-testid={node.testId}>
      <dt>{label}</dt>
      <dd>
        {isLate && <ValueBone large />}
        {!isLate && written === '' && !source.loading && !isAwaited(scope, node.path) && '–'}
        {href && written !== '' ? (
          <A href={href} data-testid={partId(node.testId, 'link')}>
            {figure}
          </A>
        ) : (
          figure
        )}
      </dd>
      <ChangeLine node={node} scope={scope} value={value} />
      {node.trend && <Trend trend={node.trend} scope={scope} />}
    </dl>
  );
}

type Part = { readonly node: StatNode; readonly scope: Scope; readonly value: unknown };

/** "Up £20.00 (+4%) since the end of last month": the shape says whether that is good, and a word to those who do not see it. */
function ChangeLine({ node, scope, value }: Part): ReactNode {
  const { word, format, text } = useSpeech();
  const { earlier } = node;
  const change = earlier && changeSince(readPath(scope, earlier.path), value);
  if (!earlier || !change) return null;
  const { direction, amount, percent } = change;
  const isMoney = node.format === 'currency';
  const written = isMoney ? format(amount, 'currency') : format(Number(amount), 'number');
  const share = percent !== undefined && direction !== 'same' ? 'Share' : '';
  const said = word(`stat.${direction}${share}`, { change: written, percent: format(percent, 'number') });
  const isSaid = earlier.better !== undefined && direction !== 'same';
  const isGood = isSaid ? (direction === 'up') === (earlier.better === 'more') : undefined;
  return (
    <dd data-testid={partId(node.testId, 'change')}>
      <StatusMark text={said} kind={isGood === undefined ? 'none' : isGood ? 'ok' : 'bad'} />
      {isGood !== undefined && <span className="visually-hidden">{word(isGood ? 'stat.better' : 'stat.worse')}</span>}{' '}
      {text(earlier.text, node.values, scope)}
    </dd>
  );
}

const width = 100;
const height = 32;

/** The line of a figure: from its least to its greatest value. What is missing is a gap. */
function Trend({ trend, scope }: { readonly trend: NonNullable<StatNode['trend']>; readonly scope: Scope }): ReactNode {
  const rows = rowsOf(readPath(scope, trend.rows)) ?? [];
  const values = rows.map(row => {
    const value = readPath(withRow(scope, row), trend.figure);
    return typeof value === 'number' || isDecimal(value) ? Number(value) : undefined;
  });
  const known = values.filter(value => value !== undefined);
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  let isDown = false;
  const line = values.map((value, index) => {
    if (value === undefined) {
      isDown = false;
      return '';
    }
    const x = (width * index) / (values.length - 1);
    const y = most === least ? height / 2 : height - (height * (value - least)) / (most - least);
    const step = `${isDown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
    return step;
  });
  return (
    <dd aria-hidden="true">
      <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={line.join('')} />
      </svg>
    </dd>
  );
}
