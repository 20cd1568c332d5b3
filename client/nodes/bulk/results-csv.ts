/** A cell that a spreadsheet would take for a formula begins with what makes it text (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r＝＋－＠]/;

function writeCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Writes the results of an action on several rows as CSV (RFC 4180), with a byte order mark so that spreadsheets read
 * UTF-8.
 */
export const writeResults = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map(cells => `${cells.map(writeCell).join(',')}\r\n`).join('')}`;
