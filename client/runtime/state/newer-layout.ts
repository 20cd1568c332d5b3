import type { Layout } from '../../../shared/language/types.ts';
import { languageVersion } from '../../../shared/language/version.ts';

/** A layout of a newer language than this page draws. The screen or popup that is drawn works on. */
export class NewerLayout extends Error {}

/**
 * Gives back a layout that came from the server. Throws NewerLayout when it needs a newer version of the layout
 * language than this page knows.
 */
export function checkLanguage<T extends Layout>(layout: T): T {
  if (isNewer(layout)) throw new NewerLayout();
  return layout;
}

/** True for a layout that needs a newer version of the layout language than this page knows. */
export const isNewer = ({ language = 0 }: Layout): boolean => language > languageVersion;
