import { notFound } from './errors.ts';

/**
 * Reads the id of a row from its text.
 * @throws {CloudError} 404 for a text that is no id
 */
export function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
