import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Layout } from '../../../shared/language/types.ts';
import type { OpenDocument } from './document.ts';
import { Arrival } from './focus-on-arrival.tsx';
import { joins } from './joins.ts';
import { type Portal, usePortalObject } from './portal.ts';
import type { Scope } from './scope.ts';
import { type Readable, useStore } from './store.ts';

const DocumentContext = createContext<OpenDocument | undefined>(undefined);

/**
 * Hook that gives the open document (screen, popup or navigation) that the component is drawn in. Throws outside of
 * any.
 */
export function useDocument(): OpenDocument {
  const document = useContext(DocumentContext);
  if (!document) throw new Error('A node stands outside of every document.');
  return document;
}

/** Gives the scope of a document as one store, so that a popup subscribes once and not to each part. */
function watchScope(portal: Portal, document: OpenDocument): Readable<Scope> {
  const { data, state, popup, status } = document;
  const stores = [data, state, portal.route, portal.boot, status, joins];
  let joined: (() => Scope['data']) | undefined;
  let scope: Scope = {};
  return {
    get() {
      const { principal } = portal.boot.get();
      joined ??= joins.get()?.joinedData(document);
      const next: Scope = {
        data: joined?.() ?? data.get(),
        state: state.get(),
        route: portal.route.get(),
        principal,
        popup,
      };
      if (Object.keys(next).some(name => next[name] !== scope[name])) scope = next;
      return scope;
    },
    subscribe(listener) {
      const ends = stores.map(store => store.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

type DocumentScopeProps = {
  readonly document: OpenDocument;
  readonly children: (layout: Layout, scope: Scope) => ReactNode;
};

/**
 * Draws `children(layout, scope)` for an open document (screen, popup or navigation), again at every change, and reads
 * its data sources while it is mounted.
 */
export function DocumentScope({ document, children }: DocumentScopeProps): ReactNode {
  const portal = usePortalObject();
  const { layout } = useStore(document.layout);
  const scope = useStore(useMemo(() => watchScope(portal, document), [portal, document]));
  const { Sources } = portal;
  return (
    <DocumentContext value={document}>
      {Sources && layout.data && <Sources document={document} sources={layout.data} scope={scope} />}
      {layout.kind === 'screen' && <Arrival document={document} layout={layout} scope={scope} />}
      {children(layout, scope)}
    </DocumentContext>
  );
}
