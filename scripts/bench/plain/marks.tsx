const kinds: Readonly<Record<string, string>> = { Active: 'ok', Activating: 'wait', ActivationFailed: 'bad' };

export const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Draws a status mark in plain React: part of the pages that the browser benchmark measures the portal against. */
export function PlainStatus({ status }: { readonly status: string }) {
  return <span className={`status status--${kinds[status] ?? 'off'}`}>{status}</span>;
}
