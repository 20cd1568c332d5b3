/** The entry of a catalogue, or the option of a field, with a value; undefined for a value that none has. */
export function entryFor<E extends { readonly value: unknown }>(
  entries: readonly E[] | undefined,
  value: unknown,
): E | undefined {
  return entries?.find(entry => entry.value === value);
}
