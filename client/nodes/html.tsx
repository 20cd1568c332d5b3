import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useValue } from '../runtime/state/values.ts';

type Policy = { createHTML(html: string): string };
type Factory = { createPolicy(name: string, rules: Policy): Policy };

/** The one way by which text becomes markup; the page's Content-Security-Policy names it (`trusted-types`). */
const policy: Policy = (() => {
  const rules = { createHTML: (html: string) => html };
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  return factory ? factory.createPolicy('portal-html', rules) : rules;
})();

/** Draws HTML from the cloud, which the server has sanitised; nothing else may be drawn by it. */
export function Html({ node, scope }: NodeProps<'html'>): ReactNode {
  const value = useValue(node.path, scope);
  const element = useRef<HTMLDivElement>(null);
  const html = typeof value === 'string' ? value : '';
  useLayoutEffect(() => {
    if (element.current) element.current.innerHTML = policy.createHTML(html);
  }, [html]);
  return <div ref={element} className="prose" data-testid={node.testId} />;
}
