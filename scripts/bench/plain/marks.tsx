const kinds: Readonly<Record<string, string>> = { Active: 'ok', Activating: 'wait', ActivationFailed: 'bad' };

export const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** A status mark as one writes it by hand in React, to compare the portal's own with. */
export function PlainStatus({ status }: { readonly status: string }) {
  return <span className={`status status--${kinds[status] ?? 'off'}`}>{status}</span>;
}
