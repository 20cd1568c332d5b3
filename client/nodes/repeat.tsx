import { memo, type ReactNode } from 'react';
import type { RepeatNode } from '../../shared/language/types.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { rowsOf, type Scope, withRow } from '../runtime/state/scope.ts';
import { useValue } from '../runtime/state/values.ts';

type ItemProps = { readonly node: RepeatNode; readonly scope: Scope; readonly row: unknown };

const Item = memo(function Item({ node, scope, row }: ItemProps): ReactNode {
  return drawNodes(node.children, withRow(scope, row));
});

/** Draws a template once for each item of a list; the field `key` identifies an item. */
export function Repeat({ node, scope }: NodeProps<'repeat'>): ReactNode {
  const rows = rowsOf(useValue(node.rows, scope));
  return rows?.map((row, index) => <Item key={String(row[node.key] ?? index)} node={node} scope={scope} row={row} />);
}
