import type { ReactNode } from 'react';

/** Stands for rows that are left out. */
export const spacer = (height: number): ReactNode =>
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus.
  height > 0 && <tr aria-hidden="true" style={{ height, padding: 0, border: 0 }} />;
