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

/** Click handler of a table's row: follows the row's link, here, or with Ctrl or the middle button in a new tab. */
export function openRow(event: MouseEvent): void {
  const link = event.shiftKey || event.altKey || event.button > 1 ? undefined : linkOf(event);
  if (!link) return;
  if (event.ctrlKey || event.metaKey || event.button === 1) window.open(link.href, '_blank', 'noopener');
  else link.click();
}

/**
 * Mouse handler of a row: stops the scrolling that the middle button would start, since it opens the row in a new tab.
 */
export function keepFromScrolling(event: MouseEvent): void {
  if (event.button === 1 && linkOf(event)) event.preventDefault();
}

/**
 * Handler for pointer and focus in a table: gives a cell whose text is cut off the whole text as its tooltip (`title`).
 */
export function tellCutText({ target }: SyntheticEvent): void {
  const cell = (target as Element).closest<HTMLElement>('.cell-text, .lead__text > *');
  if (!cell) return;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? '';
  else cell.removeAttribute('title');
}
