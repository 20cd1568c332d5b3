/** A month of a reseller; its first day as YYYY-MM-DD. */
export type Month = { readonly resellerId: number; readonly start: string };

/** Gives the first day of the next month, for the first day of a month (both YYYY-MM-DD). */
export function endOf(start: string): string {
  const date = new Date(`${start}T00:00:00Z`);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString().slice(0, 10);
}
