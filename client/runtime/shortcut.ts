import type { Portal } from './portal.ts';

type Open = (portal: Portal) => void;

/** Opens the palette by Ctrl+K, on a Mac by Command+K; `load` brings it when it is first asked for. */
export function listenForPalette(portal: Portal, load: () => Promise<Open>): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void load().then(open => open(portal));
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}
