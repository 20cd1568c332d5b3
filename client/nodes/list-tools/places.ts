import type { Scalar } from '../../../shared/language/types.ts';
import { setPlaces } from '../../runtime/effects/navigation.tsx';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { useStore } from '../../runtime/state/store.ts';

type Values = Readonly<Record<string, Scalar | undefined>>;

/**
 * Hook for several places, which are values of the address (`route.…`) or of the page's state (`state.…`): gives their
 * values and a function that sets them, together as one navigation.
 */
export function usePlaces(places: readonly string[]): readonly [Values, (values: Values) => void] {
  const portal = usePortalObject();
  const document = useDocument();
  const route = useStore(portal.route);
  const state = useStore(document.state);
  const read = (place: string) => {
    const name = place.slice(place.indexOf('.') + 1);
    return place.startsWith('state.') ? state[name] : route[name];
  };
  return [Object.fromEntries(places.map(place => [place, read(place)])), values => setPlaces(portal, document, values)];
}
