import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const gap = 4;
const margin = 8;

/** Puts the panel below its anchor, above where there is more room, and always inside the window. */
function place(panel: HTMLElement, anchor: HTMLElement, align: 'start' | 'end'): void {
  const at = anchor.getBoundingClientRect();
  // Below the header as a whole, not over its edge.
  const edge = anchor.closest('header')?.getBoundingClientRect().bottom ?? at.bottom;
  const { width, height } = panel.getBoundingClientRect();
  const left = align === 'start' ? at.left : at.right - width;
  const below = edge + gap;
  const fits = below + height <= window.innerHeight - margin || at.top < window.innerHeight - at.bottom;
  panel.style.left = `${Math.max(margin, Math.min(left, document.documentElement.clientWidth - width - margin))}px`;
  panel.style.top = `${fits ? below : Math.max(margin, at.top - gap - height)}px`;
}

export type Popover<Panel extends HTMLElement> = {
  readonly open: boolean;
  readonly show: () => void;
  /** `focus`: true gives the focus back to the anchor. */
  readonly hide: (focus?: boolean) => void;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly panel: RefObject<Panel | null>;
};

/**
 * Opens a panel over the page for a button. The panel is in the document only while open, as a manual popover,
 * so that nothing clips it. It closes by Escape, by a press or focus outside, and when the address changes.
 */
export function usePopover<Panel extends HTMLElement>(align: 'start' | 'end' = 'end'): Popover<Panel> {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const panel = useRef<Panel>(null);

  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback((focus = false) => {
    setOpen(false);
    if (focus) anchor.current?.focus();
  }, []);

  useLayoutEffect(() => {
    const element = panel.current;
    const button = anchor.current;
    if (!open || !element || !button) return;
    element.showPopover();
    const move = () => place(element, button, align);
    move();
    // What is inside may grow ("Show more") or arrive late.
    const grown = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(move);
    grown?.observe(element);
    window.addEventListener('resize', move);
    window.addEventListener('scroll', move, { capture: true, passive: true });
    return () => {
      grown?.disconnect();
      window.removeEventListener('resize', move);
      window.removeEventListener('scroll', move, { capture: true });
    };
  }, [open, align]);

  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      const target = event.target as globalThis.Node;
      if (!panel.current?.contains(target) && !anchor.current?.contains(target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Handled here, so that a dialog below stays open.
      event.preventDefault();
      event.stopPropagation();
      hide(true);
    };
    const left = () => setOpen(false);
    document.addEventListener('pointerdown', outside, true);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', onKey, true);
    window.addEventListener('popstate', left);
    return () => {
      document.removeEventListener('pointerdown', outside, true);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', onKey, true);
      window.removeEventListener('popstate', left);
    };
  }, [open, hide]);

  return { open, show, hide, anchor, panel };
}
