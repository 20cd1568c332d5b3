import { listen, type Portal } from './portal.ts';

type Open = (portal: Portal) => void;

/** Opens the palette by Ctrl+K, on a Mac by Command+K, or the event "palette"; `load` brings it when it is first asked for. */
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
