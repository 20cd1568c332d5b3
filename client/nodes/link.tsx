import type { ReactNode } from 'react';
import { fillAddress, readPath } from '../../shared/rules/path.ts';
import { Icon } from '../look/icon.tsx';
import { withCarriedQuery } from '../runtime/effects/carried-query.ts';
import { A } from '../runtime/effects/navigation.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText, useWord } from '../runtime/state/values.ts';

const looks = { link: undefined, button: 'button', primary: 'button button--primary' } as const;

/** A link to a screen, or, in a new tab, to an https address outside. Without an address it is plain text. */
export function Link({ node, scope }: NodeProps<'link'>): ReactNode {
  const text = useText(node.text, node.values, scope);
  const newTab = useWord('link.newTab');
  const className = looks[node.look ?? 'link'];
  const content = (
    <>
      {node.icon && <Icon name={node.icon} />}
      {className ? <span className="button__text">{text}</span> : text}
    </>
  );
  const found = node.externalPath && readPath(scope, node.externalPath);
  const outside = node.external ?? (typeof found === 'string' && found.startsWith('https://') ? found : undefined);
  if (outside) {
    return (
      <a
        className={className ?? 'outside'}
        href={outside}
        target="_blank"
        rel="noopener noreferrer"
        data-testid={node.testId}
      >
        {content}
        <Icon name="external" small /> <span className="visually-hidden">{newTab}</span>
      </a>
    );
  }
  const address = node.to && fillAddress(node.to, scope);
  if (!address) return <span data-testid={node.testId}>{text}</span>;
  return (
    <A className={className} href={withCarriedQuery(address, node.keep, scope)} data-testid={node.testId}>
      {content}
    </A>
  );
}
