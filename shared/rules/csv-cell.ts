/**
 * Where a spreadsheet would begin a formula in a text (OWASP, CSV injection): at its start, and behind each semicolon, at
 * which a spreadsheet of another locale splits it. Behind the last semicolon nobody knows what follows.
 */
const formulaStart = /^(?=[=+\-@＝＋－＠])|;(?=[\s"]*(?:[=+\-@＝＋－＠]|$))/g;

/**
 * Gives a text as the value of a CSV cell that no spreadsheet takes for a formula. It stands on one line without tabs,
 * since a line or cell of its own would begin behind either. A value with a semicolon has to be quoted.
 */
export const neutraliseCell = (text: string): string =>
  text
    .replace(/[\r\n\t]+/g, ' ')
    .trimStart()
    .replace(formulaStart, "$&'");

/** Gives the text of a cell that was neutralised: those of it that spreadsheets would compute lose the sign before them. */
export const originalCell = (cell: string): string =>
  cell.replace(/^'(?=[=+\-@＝＋－＠])|(?<=;)'(?=[\s"]*(?:[=+\-@＝＋－＠]|$))/g, '');
