export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

const key = 'theme';

function isTheme(value: unknown): value is Theme {
  return themes.includes(value as Theme);
}

/** The theme that the user has chosen on this device; `system` follows the device. */
export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return isTheme(kept) ? kept : 'system';
  } catch {
    // Storage can be closed to a page; the choice then lasts as long as the page.
    return 'system';
  }
}

/** Puts a theme on the page (look: `data-theme`). `system` is the theme of the brand (`data-base`) where it has one. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  const shown = theme === 'system' ? dataset.base : theme;
  if (shown) dataset.theme = shown;
  else delete dataset.theme;
}

/** Chooses a theme, now and for later visits on this device. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // As in readTheme.
  }
}
