import type { ReactNode } from 'react';
import type { NavigationLayout, ScreenLayout } from '../../shared/language/types.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { Scope } from '../runtime/state/scope.ts';
import { useTitle } from '../runtime/state/title.ts';
import { useText } from '../runtime/state/values.ts';
import { LogoLink } from './logo.tsx';
import type { SignedInParts } from './signed-in-parts.ts';

type ScreenProps = {
  readonly layout: ScreenLayout;
  readonly scope: Scope;
  readonly navigation: NavigationLayout | undefined;
  readonly parts: SignedInParts | undefined;
};

/**
 * Draws a screen below the header: breadcrumbs, heading with actions (unless the screen brings its own), and content.
 */
export function Page({ layout, scope, navigation, parts }: ScreenProps): ReactNode {
  const title = useTitle(layout, scope);
  const isBare = layout.heading === 'hidden';
  return (
    <>
      {!isBare && parts && <parts.Crumbs root={navigation?.crumbsRoot} layout={layout} title={title} scope={scope} />}
      {!isBare && (
        <div className="page__head">
          <div className="page__title">
            <div className="page__name">
              <h1 tabIndex={-1}>{title}</h1>
              {parts && layout.help && navigation?.help && (
                <parts.Help layout={layout} title={title} popup={navigation.help} />
              )}
            </div>
            {layout.meta && <div className="page__meta">{drawNodes(layout.meta, scope)}</div>}
          </div>
          {layout.actions && <div className="page__actions">{drawNodes(layout.actions, scope)}</div>}
        </div>
      )}
      <div className="flow">{drawNodes(layout.children, scope)}</div>
    </>
  );
}

/** Draws a screen as a centred card, without header: sign-in and public pages. Its actions are links below the card. */
export function Gate({ layout, scope, navigation }: ScreenProps): ReactNode {
  const title = useText(layout.title, layout.values, scope);
  return (
    <div className="gate">
      {navigation?.productName && (
        <div className="gate__logo">
          <LogoLink navigation={navigation} />
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
