/** Writes an amount (a decimal string) for people, as in "£1,234.50". No amount passes through a binary fraction. */
export const writeMoney = (amount: string, currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount as `${number}`);

/** Writes a day (YYYY-MM-DD) as 01/11/2026. */
export const writeDay = (day: string): string => day.split('-').reverse().join('/');

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** Writes the month of a day (YYYY-MM-DD) as "November 2026". */
export const writeMonth = (day: string): string => month.format(new Date(day));
