/**
 * Characters that no name and no other line of text may have: control characters, line breaks, those that turn the
 * direction of what follows, and those that show nothing, so that two names look alike.
 */
const hidden = '\\p{Cc}\\p{Cs}\\p{DI}\\u2028\\u2029';
/** Of these, what Persian and Indian scripts, Japanese names and emoji are written with. */
const joining = '\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';

/** Expression (flag u) of a text without hidden characters. */
export const visibleLine = `^(?:[^${hidden}]|[${joining}])*$`;
const visible = new RegExp(visibleLine, 'u');

/** True for a text with a line break or another character that cannot be seen and changes how the text is read. */
export const hasHidden = (text: string): boolean => !visible.test(text);

/** Gives a text in one line and without characters that cannot be seen, for what a file of another program says. */
export const withoutHidden = (text: string): string =>
  text.replace(/[\t\r\n]+/g, ' ').replace(new RegExp(`(?![${joining}])[${hidden}]`, 'gu'), '');
