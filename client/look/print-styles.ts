import { addStyles } from './late-styles.ts';

/**
 * Adds the CSS for printing: the content alone, dark on white. Called after sign-in; visitors have nothing to print.
 */
export function addPrintStyles(): void {
  addStyles(`
    @media print {
      :root { color-scheme: light !important; }
      .topbar, .footer, .skip, .crumbs, .toasts, .toolbar, .tabs, .pager__end, .page__actions, .row-menu, .form__actions, button:not(.sort) { display: none !important; }
      .table thead th { position: static !important; }
      tr, .card > *, .ledger { break-inside: avoid; }
    }
  `);
}
