import { createHash } from 'node:crypto';
import type { Look } from '../../../shared/contract/boot.ts';
import { shadesOf } from '../../../shared/rules/accent.ts';

const styles = new Map<string, string>();
const mostKept = 1000;

/**
 * Writes the style sheet of a brand: the accent, from which the look makes its shades (client/look/tokens.css), and for
 * browsers that cannot make them the few that texts need. Some 300 bytes.
 */
export function writeBrandStyle({ accent }: Pick<Look, 'accent'>): string {
  const known = styles.get(accent);
  if (known !== undefined) return known;
  const { darker, onAccent, onDarker, text, mark } = shadesOf(accent);
  const fixed = `--accent-darker:#${darker};--on-accent:#${onAccent};--on-accent-hover:#${onDarker};--accent-text:#${text};--accent-mark:#${mark}`;
  const style = `:root{--accent:#${accent}}@supports not (color:oklch(from white l c h)){:root{${fixed}}}`;
  styles.set(accent, style);
  if (styles.size > mostKept) styles.delete(styles.keys().next().value as string);
  return style;
}

/** The source by which a content security policy lets exactly this style in (CSP 3, section 2.3.1). */
export const hashOfStyle = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
