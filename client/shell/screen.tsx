import type { ReactNode } from 'react';
import type { NavigationLayout, ScreenLayout } from '../../shared/language/types.ts';
import { drawNodes } from '../runtime/children.tsx';
import type { Scope } from '../runtime/scope.ts';
import { useTitle } from '../runtime/title.ts';
import { useText } from '../runtime/values.ts';
import { Crumbs } from './crumbs.tsx';
import { plain } from './entries.ts';
import { Logo } from './logo.tsx';

type ScreenProps = {
  readonly layout: ScreenLayout;
  readonly scope: Scope;
  readonly navigation: NavigationLayout | undefined;
};

/** A screen below the header: breadcrumbs and its head unless it brings its own heading, its parts. */
export function Page({ layout, scope, navigation }: ScreenProps): ReactNode {
  const title = useTitle(layout, scope);
  const isBare = layout.heading === 'hidden';
  return (
    <>
      {!isBare && <Crumbs root={navigation?.crumbsRoot} layout={layout} title={title} scope={scope} />}
      {!isBare && (
        <div className="page__head">
          <div className="page__title">
            <h1 tabIndex={-1}>{title}</h1>
            {layout.meta && <div className="page__meta">{drawNodes(layout.meta, scope)}</div>}
          </div>
          {layout.actions && <div className="page__actions">{drawNodes(layout.actions, scope)}</div>}
        </div>
      )}
      <div className="flow">{drawNodes(layout.children, scope)}</div>
    </>
  );
}

/** A screen as a centred card: sign-in and public pages. Its actions are the links below the card. */
export function Gate({ layout, scope, navigation }: ScreenProps): ReactNode {
  const title = useText(layout.title, layout.values, scope);
  const product = plain(navigation?.productName);
  return (
    <div className="gate">
      {product && (
        <div className="gate__logo">
          <span className="logo">
            <Logo name={product} />
          </span>
        </div>
      )}
      <div className="gate__card">
        {layout.heading !== 'hidden' && <h1 tabIndex={-1}>{title}</h1>}
        {drawNodes(layout.meta, scope)}
        {drawNodes(layout.children, scope)}
      </div>
      {layout.actions && <div className="gate__links">{drawNodes(layout.actions, scope)}</div>}
    </div>
  );
}
