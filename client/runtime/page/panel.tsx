import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { PopupLayout } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { usePath } from '../effects/navigation.tsx';
import { type OpenPopup, usePortalObject } from '../state/portal.ts';
import type { Scope } from '../state/scope.ts';
import { useStore } from '../state/store.ts';
import { useText, useWord } from '../state/values.ts';
import { drawNodes } from './children.tsx';

addStyles(`
  .panel { position: fixed; inset-block: 0; inset-inline-end: 0; }
  .panel p { white-space: pre-line; }
  .panel h2 { font-size: var(--t-l); }
  .panel .list > li { padding-inline: 0; }
  .panel .sheet__body { padding: var(--s-4) var(--s-5); overflow-wrap: anywhere; }
  @media (max-width: 600px) { .panel { width: 100%; max-width: 100%; } }
`);

/** A panel is kept for this long after it was closed, in milliseconds (document 2, section 9). */
const kept = 1000;

type PanelProps = { readonly popup: OpenPopup; readonly layout: PopupLayout; readonly scope: Scope };

/**
 * A popup beside the page, which stays in use and may change under it. Closed by the user it is hidden at once and gone
 * a second later: opened again before, it is as it was. On a phone it closes when the page changes, which it covers.
 */
export function Panel({ popup, layout, scope }: PanelProps): ReactNode {
  const portal = usePortalObject();
  const titleId = useId();
  const title = useText(layout.title, layout.values, scope);
  const closeText = useWord('popup.close');
  const panel = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  const [isClosed, setClosed] = useState(false);
  const path = usePath();
  const [firstPath] = useState(path);
  const newer = useStore(portal.popups, open => open.find(({ id, key }) => id === popup.id && key > popup.key));

  useEffect(() => {
    if (!newer) return;
    const isSame = JSON.stringify(newer.document.popup) === JSON.stringify(popup.document.popup);
    portal.host.closePopup(isSame ? newer.key : popup.key);
    setClosed(false);
    panel.current?.focus();
  }, [newer, popup, portal]);

  useEffect(() => {
    if (isClosed) {
      const gone = setTimeout(() => portal.host.closePopup(popup.key), kept);
      if (opener.current instanceof HTMLElement && opener.current.isConnected)
        opener.current.focus({ preventScroll: true });
      return () => clearTimeout(gone);
    }
    opener.current = document.activeElement;
    panel.current?.focus();
  }, [isClosed, popup, portal]);

  // A button that is pressed goes with its list; the focus stays in the panel, which begins at its top.
  const { state } = scope;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the panel shows something else.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus();
    body.current?.scrollTo(0, 0);
  }, [state]);

  useEffect(() => {
    if (path !== firstPath && matchMedia('(max-width: 600px)').matches) portal.host.closePopup(popup.key);
  }, [path, firstPath, popup, portal]);

  return (
    <section
      ref={panel}
      className="sheet panel"
      hidden={isClosed}
      tabIndex={-1}
      aria-labelledby={titleId}
      data-testid={`popup-${popup.id}`}
      onKeyDown={event => {
        if (event.key === 'Escape' && !event.defaultPrevented) setClosed(true);
      }}
    >
      <div className="sheet__head">
        <h2 id={titleId}>{title}</h2>
        <button
          className="button button--icon button--quiet"
          type="button"
          aria-label={closeText}
          data-testid={partId(`popup-${popup.id}`, 'close')}
          onClick={() => setClosed(true)}
        >
          <Icon name="x" />
        </button>
      </div>
      <div ref={body} className="sheet__body">
        <div className="stack">{drawNodes(layout.children, scope)}</div>
      </div>
    </section>
  );
}
