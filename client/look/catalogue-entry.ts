/**
 * Finds the entry of a catalogue, or the option of a field, whose `value` is the given one; undefined when none has it.
 */
export function entryFor<E extends { readonly value: unknown }>(
  entries: readonly E[] | undefined,
  value: unknown,
): E | undefined {
  return entries?.find(entry => entry.value === value);
}
