import { type ReactNode, useId } from 'react';
import { fillAddress } from '../../shared/rules/path.ts';
import { partId } from '../look/part-id.ts';
import { Tile } from '../look/tile.tsx';
import { A } from '../runtime/effects/navigation.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useFormat, useText, useValue } from '../runtime/state/values.ts';

/** A framed section of a screen: a head with title, count, actions and a "show all" link, then the content. */
export function Card({ node, scope }: NodeProps<'card'>): ReactNode {
  const id = useId();
  const title = useText(node.title, node.values, scope);
  const more = useText(node.moreText, node.values, scope);
  const icon = useValue(node.iconPath, scope);
  const count = useFormat(useValue(node.count, scope), 'number');
  const href = node.to && more ? fillAddress(node.to, scope) : undefined;
  const hasEnd = count !== '' || node.actions !== undefined || href !== undefined;
  return (
    <section className="card" aria-labelledby={title ? id : undefined} data-testid={node.testId}>
      {(title !== '' || hasEnd) && (
        <div className="card__head">
          {icon ? <Tile icon={`${icon}`} /> : null}
          {title && <h2 id={id}>{title}</h2>}
          {hasEnd && (
            <div className="row">
              {count !== '' && <span className="count">{count}</span>}
              {drawNodes(node.actions, scope)}
              {href && (
                <A href={href} data-testid={partId(node.testId, 'more')}>
                  {more}
                </A>
              )}
            </div>
          )}
        </div>
      )}
      {node.flush ? (
        drawNodes(node.children, scope)
      ) : (
        <div className="card__body">{drawNodes(node.children, scope)}</div>
      )}
    </section>
  );
}
