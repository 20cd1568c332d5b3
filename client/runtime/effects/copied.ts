import { addStyles } from '../../look/late-styles.ts';

addStyles(`
  .copied { position: relative; }
  .copied::after { content: "✓" / ""; position: absolute; inset-block-start: -8px; inset-inline-end: -8px; width: 16px; height: 16px; display: grid; place-items: center; border-radius: 50%; background: var(--ok-mark); color: var(--surface); font-size: 11px; line-height: 1; }
  .copy-highlight { background: var(--accent-tint); border-radius: var(--r-s); box-shadow: 0 0 0 3px var(--accent-tint); }
`);

/** Milliseconds (document 2, section 9). */
const highlighted = 500;
const marked = 1000;

const bare = (text: string | null): string => (text ?? '').replace(/\s/g, '');

/** Finds the smallest element beside `pressed` that shows the text, however its signs are grouped. */
function findShown(text: string, pressed: Element): Element | undefined {
  const around = pressed.closest('dialog, .card, main') ?? document.body;
  const all = [...around.querySelectorAll('*')].filter(({ textContent }) => bare(textContent) === bare(text));
  return all.at(-1);
}

function mark(element: Element | undefined, name: string, milliseconds: number): void {
  element?.classList.add(name);
  setTimeout(() => element?.classList.remove(name), milliseconds);
}

/**
 * Marks for a moment the text that was copied to the clipboard and the button that was pressed; the words are in a
 * toast.
 */
export function showCopied(text: string): void {
  const pressed = document.activeElement ?? document.body;
  mark(findShown(text, pressed), 'copy-highlight', highlighted);
  if (pressed !== document.body) mark(pressed, 'copied', marked);
}
