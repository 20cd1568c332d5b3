import { memo, type ReactNode } from 'react';
import type { NavigationLayout } from '../../shared/language/types.ts';
import type { OpenDocument } from '../runtime/state/document.ts';
import { DocumentScope } from '../runtime/state/document-scope.tsx';
import { type OpenScreen, usePortal } from '../runtime/state/portal.ts';
import type { Scope } from '../runtime/state/scope.ts';
import { useStore } from '../runtime/state/store.ts';
import { useWord } from '../runtime/state/values.ts';
import { Footer } from './footer.tsx';
import { LogoLink } from './logo.tsx';
import { Gate, Page } from './screen.tsx';
import type { SignedInParts } from './signed-in-parts.ts';
import { applyTheme, readTheme } from './theme.ts';

// The chosen theme is there before anything is painted.
applyTheme(readTheme());

type ShellProps = { readonly parts?: SignedInParts | undefined };
type MainProps = ShellProps & { readonly screen: OpenScreen; readonly navigation: NavigationLayout | undefined };

/** The screen in its own scope; data of the header (the bell) does not draw it again. */
const Main = memo(function Main({ screen, navigation, parts }: MainProps): ReactNode {
  return (
    <DocumentScope key={screen.pathname} document={screen.document}>
      {(layout, scope) => {
        if (layout.kind !== 'screen') return null;
        const Frame = layout.shell === 'gate' ? Gate : Page;
        return <Frame layout={layout} scope={scope} navigation={navigation} parts={parts} />;
      }}
    </DocumentScope>
  );
});

/** The header of those who are not signed in: there is nothing to lead to but the way in. */
function BareHeader({ layout }: { readonly layout: NavigationLayout }): ReactNode {
  return (
    <header className="topbar">
      <LogoLink navigation={layout} />
    </header>
  );
}

type FrameProps = MainProps & { readonly scope: Scope | undefined };

function Frame({ screen, navigation, scope, parts }: FrameProps): ReactNode {
  const { layout } = useStore(screen.document.layout);
  const skip = useWord('shell.skip');
  const Top = parts?.Header ?? BareHeader;
  const isGate = layout.kind === 'screen' && layout.shell === 'gate';
  return (
    <div className={isGate ? 'center' : 'shell'}>
      <a className="skip" href="#main" data-testid="skip">
        {skip}
      </a>
      {navigation && scope && !isGate && <Top layout={navigation} scope={scope} />}
      <main id="main" className={isGate ? 'center__body' : 'page'} tabIndex={-1}>
        <Main screen={screen} navigation={navigation} parts={parts} />
      </main>
      {navigation && scope && <Footer layout={navigation} scope={scope} />}
    </div>
  );
}

type NavigationProps = ShellProps & { readonly screen: OpenScreen; readonly document: OpenDocument };

function WithNavigation({ screen, document, parts }: NavigationProps): ReactNode {
  return (
    <DocumentScope document={document}>
      {(layout, scope) =>
        layout.kind === 'navigation' && <Frame screen={screen} navigation={layout} scope={scope} parts={parts} />
      }
    </DocumentScope>
  );
}

/** The page around the screen: header, main, footer; or for `gate` screens a centred card and the footer. */
export function Shell({ parts }: ShellProps): ReactNode {
  const { screen, navigation } = usePortal();
  if (!screen) return null;
  return navigation ? (
    <WithNavigation screen={screen} document={navigation} parts={parts} />
  ) : (
    <Frame screen={screen} navigation={undefined} scope={undefined} />
  );
}
