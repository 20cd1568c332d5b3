import type { ReactNode } from 'react';
import type { OpenDocument } from '../state/document.ts';
import { DocumentScope } from '../state/document-scope.tsx';
import type { Portal } from '../state/portal.ts';
import { PortalProvider } from '../state/portal-provider.tsx';
import { drawNodes } from './children.tsx';
import { Hosts } from './hosts.tsx';

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
