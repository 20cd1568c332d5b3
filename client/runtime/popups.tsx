import type { ReactNode } from 'react';
import type { PopupLayout } from '../../shared/language/types.ts';
import { drawNodes } from './children.tsx';
import { Dialog } from './dialog.tsx';
import { DocumentScope } from './document-scope.tsx';
import { type OpenPopup, usePortalObject } from './portal.ts';
import type { Scope } from './scope.ts';
import { useStore } from './store.ts';
import { useText } from './values.ts';

type PopupProps = { readonly popup: OpenPopup; readonly layout: PopupLayout; readonly scope: Scope };

function Popup({ popup, layout, scope }: PopupProps): ReactNode {
  const portal = usePortalObject();
  const isLast = useStore(portal.popups, open => open.at(-1) === popup);
  const isAsked = useStore(portal.question) !== undefined;
  const title = useText(layout.title, layout.values, scope);
  return (
    <Dialog
      title={title}
      size={layout.size}
      closeable={layout.closeable}
      testId={`popup-${popup.id}`}
      isTop={isLast && !isAsked}
      onClose={() => portal.host.closePopup(popup.key)}
    >
      <div className="stack">{drawNodes(layout.children, scope)}</div>
    </Dialog>
  );
}

/** The open popups, each over the one before. */
export function Popups(): ReactNode {
  return useStore(usePortalObject().popups).map(popup => (
    <DocumentScope key={popup.key} document={popup.document}>
      {(layout, scope) => layout.kind === 'popup' && <Popup popup={popup} layout={layout} scope={scope} />}
    </DocumentScope>
  ));
}
