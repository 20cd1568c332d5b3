import type { Operation } from '../../shared/language/types.ts';
import type { Principal } from '../access/principal.ts';
import { decide } from '../access/requirement.ts';

type Place = NonNullable<Operation['elsewhere']>[number];

/** Made once for each place, since addresses are prepared by operation. */
const moved = new WeakMap<Place, Operation>();

/** The place that an operation has for this caller; undefined where it is its own. */
export const placeFor = ({ elsewhere }: Operation, principal: Principal): Place | undefined =>
  elsewhere?.find(({ requires }) => decide(requires, principal).met);

/** The operation where it is for this caller; see the language (`elsewhere` of an operation). */
export function placed(operation: Operation, principal: Principal): Operation {
  const place = placeFor(operation, principal);
  if (!place) return operation;
  let there = moved.get(place);
  if (!there) {
    there = { ...operation, path: place.path, method: place.method ?? operation.method };
    moved.set(place, there);
  }
  return there;
}
