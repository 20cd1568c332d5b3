const rows = 'tbody > tr, .list > li, .timeline ol > li';
const focusable = 'a[href], button, input';

/**
 * Runs a single-letter shortcut on the table row that has the focus: J and K move along the rows, X selects the row, M
 * opens its menu.
 */
export function pressRowLetter(letter: string): void {
  const row = document.activeElement?.closest<HTMLElement>(rows);
  if (!row?.parentElement) return;
  const pressed = { x: 'input[type=checkbox]', m: 'button[aria-haspopup=menu]' }[letter];
  if (pressed) {
    row.querySelector<HTMLElement>(pressed)?.click();
    return;
  }
  const beside = [...row.parentElement.children];
  const next = beside[beside.indexOf(row) + (letter === 'j' ? 1 : -1)];
  (next?.querySelector<HTMLElement>('a[href]') ?? next?.querySelector<HTMLElement>(focusable))?.focus();
}
