import type { Look } from '../../shared/contract/boot.ts';
import { applyTheme, readTheme } from './theme.ts';

/** The brand on the page as JSON; undefined until the one that the server drew it with is known. */
let shown: string | undefined;

/**
 * Puts a brand on the open page, or takes it off: when it was changed, or is tried, while the page was open. A page that
 * is loaded has it from the server before anything is drawn.
 */
export function applyBrand(look: Look | undefined): void {
  const json = JSON.stringify(look ?? null);
  const isDrawn = shown === undefined || shown === json;
  shown = json;
  if (isDrawn) return;
  const { dataset, style } = document.documentElement;
  // The server's own rule has the same property: undefined must take that away as well.
  style.setProperty('--accent', look ? `#${look.accent}` : 'var(--accent-default)');
  if (look?.theme) dataset.base = look.theme;
  else delete dataset.base;
  applyTheme(readTheme());
}
