import type { ReactNode } from 'react';

/** Draws an empty table row of this height (pixels) in place of rows that are outside of the window and not drawn. */
export const spacer = (height: number): ReactNode =>
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus.
  height > 0 && <tr aria-hidden="true" style={{ height, padding: 0, border: 0 }} />;
