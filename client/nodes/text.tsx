import type { ReactNode } from 'react';
import type { Bindings } from '../../shared/language/types.ts';
import { bindAll, type Scope } from '../../shared/rules/path.ts';
import type { NodeProps } from '../runtime/registry.ts';
import { useFormat, useText, useValue } from '../runtime/values.ts';

const looks = { plain: undefined, quiet: 'quiet', lead: 'intro' } as const;

/** True while a figure of a data source is not there: what is said of it would have a hole. */
function isHollow(values: Bindings | undefined, scope: Scope): boolean {
  const bound = bindAll(values, scope);
  return Object.entries(values ?? {}).some(
    ([name, binding]) => !(name in bound) && JSON.stringify(binding).includes('"data.'),
  );
}

/** A paragraph: a text, or a value in its format; with both the value stands first, in bold ("48 customers"). */
export function Text({ node, scope }: NodeProps<'text'>): ReactNode {
  const text = useText(node.text, node.values, scope);
  const value = useFormat(useValue(node.path, scope), node.format);
  if ((text === '' && value === '') || isHollow(node.values, scope)) return null;
  return (
    <p className={looks[node.look ?? 'plain']} data-testid={node.testId}>
      {text !== '' && value !== '' ? <b>{value}</b> : value}
      {text !== '' && value !== '' && ' '}
      {text}
    </p>
  );
}
