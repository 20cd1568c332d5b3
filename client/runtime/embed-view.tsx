import type { ReactNode } from 'react';
import { drawNodes } from './children.tsx';
import type { OpenDocument } from './document.ts';
import { DocumentScope } from './document-scope.tsx';
import { Hosts } from './hosts.tsx';
import type { Portal } from './portal.ts';
import { PortalProvider } from './portal-provider.tsx';

/** Draws one layout that is embedded in another site's page, without header and menus. */
export function drawEmbedded(portal: Portal, document: OpenDocument): ReactNode {
  return (
    <PortalProvider value={portal}>
      <DocumentScope document={document}>
        {(layout, scope) => layout.kind !== 'navigation' && drawNodes(layout.children, scope)}
      </DocumentScope>
      <Hosts />
    </PortalProvider>
  );
}
