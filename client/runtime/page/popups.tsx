import type { ReactNode } from 'react';
import type { PopupLayout } from '../../../shared/language/types.ts';
import { Dialog } from '../effects/dialog.tsx';
import { useRun } from '../effects/effects.ts';
import { mayLeave } from '../effects/unsaved-changes.ts';
import { DocumentScope } from '../state/document-scope.tsx';
import { isDialog, type OpenPopup, usePortalObject } from '../state/portal.ts';
import type { Scope } from '../state/scope.ts';
import { useStore } from '../state/store.ts';
import { lacksData, useText } from '../state/values.ts';
import { drawNodes } from './children.tsx';
import { Panel } from './panel.tsx';

type PopupProps = {
  readonly popup: OpenPopup;
  readonly layout: PopupLayout;
  readonly scope: Scope;
  readonly isTop: boolean;
};

function Popup({ popup, layout, scope, isTop }: PopupProps): ReactNode {
  const portal = usePortalObject();
  const title = useText(layout.title, layout.values, scope);
  const isFailed = useStore(popup.document.status, all =>
    Object.values(all).some(({ failed }) => failed !== undefined),
  );
  const { run } = useRun(scope, layout.id);
  const close = async () => {
    if (!(await mayLeave(portal, [popup.document]))) return;
    portal.host.closePopup(popup.key);
    await run(layout.on?.close);
  };
  return (
    <Dialog
      title={lacksData(layout.values, scope) && !isFailed ? undefined : title}
      size={layout.size === 'panel' ? undefined : layout.size}
      closeable={layout.closeable}
      testId={`popup-${popup.id}`}
      isTop={isTop}
      onClose={() => void close()}
    >
      <div className="stack">{drawNodes(layout.children, scope)}</div>
    </Dialog>
  );
}

/** The open popups, each over the one before. */
export function Popups(): ReactNode {
  const portal = usePortalObject();
  const open = useStore(portal.popups);
  const top = useStore(portal.question) ? undefined : open.findLast(isDialog);
  return open.map(popup => (
    <DocumentScope key={popup.key} document={popup.document}>
      {(layout, scope) =>
        layout.kind === 'popup' &&
        (layout.size === 'panel' ? (
          <Panel popup={popup} layout={layout} scope={scope} />
        ) : (
          <Popup popup={popup} layout={layout} scope={scope} isTop={popup === top} />
        ))
      }
    </DocumentScope>
  ));
}
