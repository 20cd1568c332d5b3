import type { Layout } from '../../shared/language/types.ts';
import { languageVersion } from '../../shared/language/version.ts';

/** A layout of a newer language than this page draws. The screen or popup that is drawn works on. */
export class NewerLayout extends Error {}

/** Gives a layout that has arrived. Throws NewerLayout. */
export function checkLanguage<T extends Layout>(layout: T): T {
  if (isNewer(layout)) throw new NewerLayout();
  return layout;
}

/** True for a layout of a newer language than this page draws. */
export const isNewer = ({ language = 0 }: Layout): boolean => language > languageVersion;
