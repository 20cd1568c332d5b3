import type { MouseEvent, SyntheticEvent } from 'react';

/** What has a press of its own. */
const pressed = 'a, button, input, select, textarea, label, .cell-check, .cell-menu';

/** The link by which a row opens; undefined where something else was pressed, or text is being marked. */
function linkOf({ target, currentTarget }: MouseEvent): HTMLAnchorElement | undefined {
  const element = target as Element;
  if (element.closest(pressed)) return undefined;
  const marked = getSelection();
  if (marked && !marked.isCollapsed && marked.containsNode(element, true)) return undefined;
  const row = element.closest('tr');
  return (currentTarget.contains(row) && row?.querySelector<HTMLAnchorElement>('a.lead__name')) || undefined;
}

/** A press anywhere on a row follows its link, in the same way: here, or with Ctrl or the middle button in a new tab. */
export function openRow(event: MouseEvent): void {
  const link = event.shiftKey || event.altKey || event.button > 1 ? undefined : linkOf(event);
  if (!link) return;
  if (event.ctrlKey || event.metaKey || event.button === 1) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

/** Pressing the middle button would begin to scroll, where the row is to open. */
export function keepFromScrolling(event: MouseEvent): void {
  if (event.button === 1 && linkOf(event)) event.preventDefault();
}

/** Says what is cut off, as the browser's own hint, once it is pointed at or has the focus. */
export function tellCutText({ target }: SyntheticEvent): void {
  const cell = (target as Element).closest<HTMLElement>('.cell-text, .lead__text > *');
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? '';
  else cell.removeAttribute('title');
}
