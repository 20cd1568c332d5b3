/** A number in plain notation ("-169.20") that can be summed; `isMoney` for two decimals. */
type NumberCell = { readonly number: string; readonly isMoney?: true };

/** A day or a moment as a clock on the wall shows it, with how a file of text writes it. */
export type DayCell = { readonly wall: Date; readonly unit: 'day' | 'minute' | 'month'; readonly text: string };

/** A cell of a file: text, which is never a formula, a number, or a day. */
export type Cell = string | NumberCell | DayCell;

/** A table as a file, whatever its format. */
export type FileTable = {
  readonly titles: readonly string[];
  /** Rows, page by page. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
};
