import type { ScreenLayout } from '../../../shared/language/types.ts';
import type { Caller } from '../../operations/caller.ts';
import { isAcceptable } from '../../operations/parameters.ts';
import type { FoundScreen } from './resolve-screen.ts';

const place = 'route.';

/**
 * Gives a screen's address without the query parameters that its data sources would refuse (`?page=abc`, an unknown
 * sort), so that a wrong link shows the list and no error; undefined when all are right.
 */
export function cleanAddress(
  { access, version }: Caller,
  { layout, query }: FoundScreen,
  address: string,
): string | undefined {
  const wrong = new Set<string>();
  for (const source of Object.values((layout.layout as ScreenLayout).data ?? {})) {
    const operation = version.operations.get(source.operation);
    const capability = access.reads.get(source.operation);
    if (!operation || !capability) continue;
    for (const [name, binding] of Object.entries(source.with ?? {})) {
      if (typeof binding !== 'string' || !binding.startsWith(place)) continue;
      const value = query.get(binding.slice(place.length));
      if (value && !isAcceptable(operation, capability, name, value)) wrong.add(binding.slice(place.length));
    }
  }
  if (wrong.size === 0) return undefined;
  const kept = new URLSearchParams([...query].filter(([name]) => !wrong.has(name))).toString();
  const pathname = address.split('?')[0] as string;
  return kept === '' ? pathname : `${pathname}?${kept}`;
}
