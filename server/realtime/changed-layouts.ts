import type { Access, TrimmedLayout } from '../layouts/index.ts';

function layoutsOf({ screens, popups, navigation }: Access): Map<string, TrimmedLayout> {
  const all = [...screens.values(), ...popups.values(), ...(navigation ? [navigation] : [])];
  return new Map(all.map(trimmed => [`${trimmed.layout.kind}:${trimmed.id}`, trimmed]));
}

/**
 * Compares the layouts of a caller before and after a change. Gives, by id, the new hash of each that differs or is
 * new, and '' for each that is gone.
 */
export function changedLayouts(before: Access, after: Access): Record<string, string> {
  const old = layoutsOf(before);
  const next = layoutsOf(after);
  const changed: Record<string, string> = {};
  for (const [key, { id, hash }] of next) if (old.get(key)?.hash !== hash) changed[id] = hash;
  for (const [key, { id }] of old) if (!next.has(key) && changed[id] === undefined) changed[id] = '';
  return changed;
}
