import type { ScreenLayout } from '../../../shared/language/types.ts';
import type { Scope } from './scope.ts';
import { useText, useValue } from './values.ts';

/** Gives the title of a screen: its subject's text once the subject is known, else its title. */
export function useTitle(layout: ScreenLayout, scope: Scope): string {
  const title = useText(layout.title, layout.values, scope);
  const named = useText(layout.subjectText, layout.values, scope);
  const subject = useValue(layout.subject, scope);
  if (typeof subject !== 'string' || subject === '') return title;
  return layout.subjectText === undefined ? subject : named;
}
