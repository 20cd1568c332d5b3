import type { ReactNode } from 'react';
import type { FactsNode } from '../../shared/language/types.ts';
import { isMoney } from '../../shared/rules/format.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { Money, Pence } from '../look/money.tsx';
import { partId } from '../look/part-id.ts';
import { ValueBone } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { useLate } from '../look/use-late.ts';
import { drawValue } from '../look/value.tsx';
import { sourceOf, useSource } from '../runtime/data/data-source.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { isAwaited } from '../runtime/state/joined-data.ts';
import type { Scope } from '../runtime/state/scope.ts';
import { useFormatter, useMet, useText, useValue } from '../runtime/state/values.ts';

type Item = FactsNode['items'][number];
type FactProps = {
  readonly item: Item;
  readonly scope: Scope;
  readonly isLedger: boolean;
  /** Test id of the node. */
  readonly nodeId: string | undefined;
};

const looks = { list: 'facts', stacked: 'facts facts--stacked', ledger: 'ledger' } as const;

function FactValue({ item, scope, isLedger, nodeId }: FactProps): ReactNode {
  const value = useValue(item.path, scope);
  const format = useFormatter();
  const written = format(value, item.format);
  const entry = entryFor(item.catalogue, value);
  const word = useText(entry?.text, item.values, scope);
  const { loading, envelope } = useSource(sourceOf(item.path));
  const isLate = useLate(loading && !envelope);
  const href = item.to && fillAddress(item.to, scope);
  if (isLate) return <ValueBone large={isLedger} />;
  if (written === '') return loading || isAwaited(scope, item.path) ? null : '–';
  if (entry) return <StatusMark text={word} kind={entry.kind} moving={entry.moving} />;
  const Amount = isLedger ? Pence : Money;
  const shown = isMoney(item.format) ? <Amount text={written} /> : drawValue(value, item.format, format);
  return href ? (
    <A href={href} data-testid={partId(item.testId ?? nodeId, 'link')}>
      {shown}
    </A>
  ) : (
    shown
  );
}

function Fact(props: FactProps): ReactNode {
  const { item, scope } = props;
  const isThere = useMet(item.when, scope);
  const label = useText(item.label, item.values, scope);
  const note = useText(item.note, item.values, scope);
  if (!isThere) return null;
  return (
    <div data-testid={item.testId}>
      <dt>{label}</dt>
      <dd>
        <FactValue {...props} />
        {note && !props.isLedger && <small className="quiet">{note}</small>}
      </dd>
      {note && props.isLedger && <dd>{note}</dd>}
    </div>
  );
}

/** True for what goes by data: nobody knows whether it is there before that is. */
const readsData = (when: Item['when']): boolean => when !== undefined && JSON.stringify(when).includes('"data.');

/** A list of labels and values; as a `ledger`, one strip of figures. A missing value is a dash. */
export function Facts({ node, scope }: NodeProps<'facts'>): ReactNode {
  const source = useSource(sourceOf(node.items.find(item => sourceOf(item.path))?.path));
  const isWaiting = source.loading && !source.envelope;
  const isLate = useLate(isWaiting);
  if (source.failed && !source.envelope) return <Trouble of={source} />;
  const look = looks[node.look ?? 'list'];
  return (
    <dl
      className={isWaiting && !isLate ? `${look} facts--early` : look}
      aria-busy={source.loading || undefined}
      data-testid={node.testId}
    >
      {node.items
        .filter(item => !isWaiting || !readsData(item.when))
        .map((item, index) => (
          <Fact
            // biome-ignore lint/suspicious/noArrayIndexKey: two facts may show the same path
            key={`${item.path}${index}`}
            item={item}
            scope={scope}
            isLedger={node.look === 'ledger'}
            nodeId={node.testId}
          />
        ))}
    </dl>
  );
}
