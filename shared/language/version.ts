/**
 * The first number of the language's version (`CHANGELOG.md`): every layout says it, and a page draws no layout of a
 * higher one than its own.
 */
export const languageVersion = 24;
