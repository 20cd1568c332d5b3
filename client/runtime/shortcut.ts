import { listen, type Portal } from './portal.ts';

type Open = (portal: Portal) => void;

/**
 * Opens the command palette by Ctrl+K or Command+K, or by the event "palette"; `load` loads it at the first time. Gives
 * the function that ends it.
 */
export function listenForPalette(portal: Portal, load: () => Promise<Open>): () => void {
  const open = () => void load().then(openPalette => openPalette(portal));
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  };
  document.addEventListener('keydown', onKey);
  const end = listen(portal, 'palette', open);
  return () => {
    document.removeEventListener('keydown', onKey);
    end();
  };
}
