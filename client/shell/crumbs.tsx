import type { ReactNode } from 'react';
import type { NavigationLayout, ScreenLayout } from '../../shared/language/types.ts';
import { fillAddress } from '../../shared/rules/path.ts';
import { resolveText } from '../../shared/rules/text.ts';
import { A, usePath } from '../runtime/effects/navigation.tsx';
import { usePortalObject } from '../runtime/state/portal.ts';
import type { Scope } from '../runtime/state/scope.ts';
import { useStore } from '../runtime/state/store.ts';
import { useWord } from '../runtime/state/values.ts';

type CrumbsProps = {
  readonly root: NavigationLayout['crumbsRoot'];
  readonly layout: ScreenLayout;
  readonly title: string;
  readonly scope: Scope;
};

/**
 * The breadcrumbs above a screen (document 1, section 2.6); the last one is the screen itself, as plain text. Not drawn
 * without a first crumb or when there is only one. Of crumbs with the same address only the first is shown.
 */
export function Crumbs({ root, layout, title, scope }: CrumbsProps): ReactNode {
  const path = usePath();
  const label = useWord('shell.crumbs');
  const landing = useStore(usePortalObject().boot, boot => boot.landing);
  const home = root?.to === '/' ? landing : root?.to;
  if (!root || !home || home === path) return null;
  const way = [{ ...root, to: home, values: undefined }, ...(layout.crumbs ?? [])]
    .map(crumb => ({ text: resolveText(crumb.text, crumb.values, scope), href: fillAddress(crumb.to, scope) }))
    .filter(({ text }) => text !== '')
    .filter(({ href }, index, all) => !href || all.findIndex(other => other.href === href) === index);
  return (
    <nav aria-label={label}>
      <ol className="crumbs">
        {way.map(({ text, href }, index) => (
          <li key={href ?? text}>
            {href ? (
              <A href={href} data-testid={`crumb-${index}`}>
                {text}
              </A>
            ) : (
              text
            )}
          </li>
        ))}
        <li>
          <span aria-current="page">{title}</span>
        </li>
      </ol>
    </nav>
  );
}
