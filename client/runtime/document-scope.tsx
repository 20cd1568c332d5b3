import { createContext, type ReactNode, Suspense, useContext, useMemo } from 'react';
import type { Layout } from '../../shared/language/types.ts';
import { Arrival } from './arrival.tsx';
import type { OpenDocument } from './document.ts';
import { usePortalObject } from './portal.ts';
import type { Scope } from './scope.ts';
import { useStore } from './store.ts';

const DocumentContext = createContext<OpenDocument | undefined>(undefined);

/** The document that the component stands in. */
export function useDocument(): OpenDocument {
  const document = useContext(DocumentContext);
  if (!document) throw new Error('A node stands outside of every document.');
  return document;
}

type DocumentScopeProps = {
  readonly document: OpenDocument;
  readonly children: (layout: Layout, scope: Scope) => ReactNode;
};

/** Makes the scope of a document and keeps its data sources read; draws what `children` gives for them. */
export function DocumentScope({ document, children }: DocumentScopeProps): ReactNode {
  const portal = usePortalObject();
  const { layout } = useStore(document.layout);
  const data = useStore(document.data);
  const state = useStore(document.state);
  const route = useStore(portal.route);
  const principal = useStore(portal.boot, boot => boot.principal);
  const { popup } = document;
  const scope = useMemo<Scope>(
    () => ({ data, state, route, principal, popup }),
    [data, state, route, principal, popup],
  );
  const isPage = useStore(portal.screen, screen => screen?.document === document);
  const { Sources } = portal;
  return (
    <DocumentContext value={document}>
      {Sources && layout.data && (
        <Suspense>
          <Sources document={document} sources={layout.data} scope={scope} />
        </Suspense>
      )}
      {layout.kind === 'screen' && isPage && <Arrival layout={layout} scope={scope} />}
      {children(layout, scope)}
    </DocumentContext>
  );
}
