import { notFound } from './errors.ts';

/**
 * Parses the id of a row from an address.
 * @throws {CloudError} 404 for a text that is no id
 */
export function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
