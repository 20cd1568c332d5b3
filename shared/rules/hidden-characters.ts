/**
 * Characters that no name and no other line of text may have, as the inside of a character class (flag u): control
 * characters, those that turn the direction of what follows, and those that show nothing, so that two names look alike.
 * Joiners stay: Persian and Indian scripts and emoji are written with them.
 */
export const hiddenCharacters =
  '\\p{Cc}\\p{Bidi_Control}\\p{Cs}\\u00ad\\u034f\\u115f\\u1160\\u180e\\u200b\\u2028\\u2029\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const hidden = new RegExp(`[${hiddenCharacters}]`, 'u');

/** True for a text with a line break or another character that cannot be seen and changes how the text is read. */
export const hasHidden = (text: string): boolean => hidden.test(text);

const anyHidden = new RegExp(hidden, 'gu');
/** Gives a text in one line and without characters that cannot be seen, for what a file of another program says. */
export const withoutHidden = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(anyHidden, '');
