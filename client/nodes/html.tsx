import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { partId } from '../look/part-id.ts';
import { isPlainClick } from '../look/plain-click.ts';
import { useNavigation } from '../runtime/effects/navigation.tsx';
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
    if (!element.current) return;
    element.current.innerHTML = policy.createHTML(html);
    for (const [index, link] of element.current.querySelectorAll('a').entries())
      link.dataset.testid = partId(node.testId ?? 'html', `link-${index + 1}`);
  }, [html, node.testId]);
  const { navigate } = useNavigation();
  /** Follows a link to the portal within the page; the server has left `target` to those that lead elsewhere. */
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    const to = link?.getAttribute('href');
    if (!to || link?.target || !isPlainClick(event)) return;
    event.preventDefault();
    void navigate(to);
  };
  // biome-ignore lint/a11y: the links are what is pressed, by the keyboard too.
  return <div ref={element} className="prose" data-testid={node.testId} onClick={follow} />;
}
