import { type ComponentType, memo, type ReactNode } from 'react';
import type { NavigationLayout } from '../../shared/language/types.ts';
import type { OpenDocument } from '../runtime/document.ts';
import { DocumentScope } from '../runtime/document-scope.tsx';
import { type OpenScreen, usePortal } from '../runtime/portal.ts';
import type { Scope } from '../runtime/scope.ts';
import { useStore } from '../runtime/store.ts';
import { useWord } from '../runtime/values.ts';
import { Footer } from './footer.tsx';
import type { HeaderProps } from './header.tsx';
import { Gate, Page } from './screen.tsx';
import { applyTheme, readTheme } from './theme.ts';

// The chosen theme is there before anything is painted.
applyTheme(readTheme());

type MainProps = { readonly screen: OpenScreen; readonly navigation: NavigationLayout | undefined };

/** The screen in its own scope; data of the header (the bell) does not draw it again. */
const Main = memo(function Main({ screen, navigation }: MainProps): ReactNode {
  return (
    <DocumentScope key={screen.pathname} document={screen.document}>
      {(layout, scope) => {
        if (layout.kind !== 'screen') return null;
        const Frame = layout.shell === 'gate' ? Gate : Page;
        return <Frame layout={layout} scope={scope} navigation={navigation} />;
      }}
    </DocumentScope>
  );
});

/** The header comes from outside: the sign-in page does without it, and without its code. */
type ShellProps = { readonly Header?: ComponentType<HeaderProps> | undefined };
type FrameProps = MainProps & ShellProps & { readonly scope: Scope | undefined };

function Frame({ screen, navigation, scope, Header }: FrameProps): ReactNode {
  const { layout } = useStore(screen.document.layout);
  const skip = useWord('shell.skip');
  const isGate = layout.kind === 'screen' && layout.shell === 'gate';
  return (
    <div className={isGate ? 'center' : 'shell'}>
      <a className="skip" href="#main" data-testid="skip">
        {skip}
      </a>
      {Header && navigation && scope && !isGate && <Header layout={navigation} scope={scope} />}
      <main id="main" className={isGate ? 'center__body' : 'page'} tabIndex={-1}>
        <Main screen={screen} navigation={navigation} />
      </main>
      {navigation && scope && <Footer layout={navigation} scope={scope} />}
    </div>
  );
}

type NavigationProps = ShellProps & { readonly screen: OpenScreen; readonly document: OpenDocument };

function WithNavigation({ screen, document, Header }: NavigationProps): ReactNode {
  return (
    <DocumentScope document={document}>
      {(layout, scope) =>
        layout.kind === 'navigation' && <Frame screen={screen} navigation={layout} scope={scope} Header={Header} />
      }
    </DocumentScope>
  );
}

/** The page around the screen: header, main, footer; or for `gate` screens a centred card and the footer. */
export function Shell({ Header }: ShellProps): ReactNode {
  const { screen, navigation } = usePortal();
  if (!screen) return null;
  return navigation ? (
    <WithNavigation screen={screen} document={navigation} Header={Header} />
  ) : (
    <Frame screen={screen} navigation={undefined} scope={undefined} />
  );
}
