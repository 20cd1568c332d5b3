import { listen, type Portal } from '../state/portal.ts';

/** What `client/palette.ts` brings at the first key. */
type Keys = {
  openPalette(portal: Portal): void;
  pressLetter(portal: Portal, letter: string): void;
};

const typing = 'input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable], [role=menu], dialog';

/**
 * Opens the command palette on Ctrl+K, Command+K or the event "palette", and the list of shortcuts on "?"; gives other
 * letters to the rows of the page. `load` loads the code for these at first use. Gives the function that stops
 * listening.
 */
export function listenForKeys(portal: Portal, load: () => Promise<Keys>): () => void {
  const open = () => void load().then(keys => keys.openPalette(portal));
  const onKey = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.altKey) return;
    if (key === 'k' && isCommand && !event.shiftKey) {
      event.preventDefault();
      open();
    } else if (!isCommand && /^[?ajkmx]$/.test(key) && !(event.target as Element).closest(typing))
      void load().then(keys => keys.pressLetter(portal, key));
  };
  document.addEventListener('keydown', onKey);
  const end = listen(portal, 'palette', open);
  // Pressed before this page listened (`client/start.ts`).
  if (document.documentElement.dataset.early) open();
  return () => {
    document.removeEventListener('keydown', onKey);
    end();
  };
}
