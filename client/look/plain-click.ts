import type { MouseEvent } from 'react';

/**
 * True for a click on a link that the runtime handles in this page; false for one left to the browser (new tab,
 * download).
 */
export function isPlainClick(event: MouseEvent): boolean {
  return (
    event.button === 0 && !event.defaultPrevented && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}
