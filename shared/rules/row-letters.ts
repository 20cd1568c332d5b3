/** Rows of a group at most: they are named by the letters A to Z. */
export const mostRows = 26;

/** Gives the letter for a row by its index: "A" for 0. */
export const letterOf = (index: number): string => String.fromCharCode(65 + index);
