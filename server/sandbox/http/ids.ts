import { notFound } from './errors.ts';

/** The row behind an id as it travels; anything else is not there. */
export function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
