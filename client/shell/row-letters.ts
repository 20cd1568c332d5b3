const rows = 'tbody > tr, .list > li, .timeline ol > li';
const focusable = 'a[href], button, input';

const focusOn = (row: Element | null | undefined): void =>
  (row?.querySelector<HTMLElement>('a[href]') ?? row?.querySelector<HTMLElement>(focusable))?.focus();

/**
 * Runs a single-letter shortcut on the table row that has the focus: J and K move along the rows, X selects the row, M
 * opens its menu, A goes to the actions for the selected rows. While no row has the focus, a letter brings it to the
 * first one of the page.
 */
export function pressRowLetter(letter: string): void {
  const main = document.querySelector('main');
  if (letter === 'a') main?.querySelector<HTMLElement>('.bulk button')?.focus();
  const row = document.activeElement?.closest<HTMLElement>(rows);
  if (letter !== 'a' && !row)
    focusOn([...(main?.querySelectorAll(rows) ?? [])].find(one => one.querySelector(focusable)));
  if (letter === 'a' || !row?.parentElement) return;
  const pressed = { x: 'input[type=checkbox]', m: 'button[aria-haspopup=menu]' }[letter];
  if (pressed) {
    row.querySelector<HTMLElement>(pressed)?.click();
    return;
  }
  const beside = [...row.parentElement.children];
  focusOn(beside[beside.indexOf(row) + (letter === 'j' ? 1 : -1)]);
}
