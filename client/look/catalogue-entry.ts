import type { CatalogueEntry } from '../../shared/language/types.ts';

/** The entry of a catalogue for a value; undefined for a value that it lacks. */
export function entryFor(catalogue: readonly CatalogueEntry[] | undefined, value: unknown): CatalogueEntry | undefined {
  return catalogue?.find(entry => entry.value === value);
}
