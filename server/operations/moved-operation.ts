import type { Operation } from '../../shared/language/types.ts';
import type { Principal } from '../access/principal.ts';
import { decide } from '../access/requirement.ts';

type MovedAddress = NonNullable<Operation['elsewhere']>[number];

/** Made once for each place, since addresses are prepared by operation. */
const moved = new WeakMap<MovedAddress, Operation>();

/** Finds the other address that an operation has for this caller (`elsewhere`); undefined where its own is right. */
export const movedAddressFor = ({ elsewhere }: Operation, principal: Principal): MovedAddress | undefined =>
  elsewhere?.find(({ requires }) => decide(requires, principal).met);

/**
 * Gives the operation with the address that it has for this caller (see `elsewhere` in the language); the operation
 * itself where it has no other.
 */
export function moveForCaller(operation: Operation, principal: Principal): Operation {
  const place = movedAddressFor(operation, principal);
  if (!place) return operation;
  let there = moved.get(place);
  if (!there) {
    there = { ...operation, path: place.path, method: place.method ?? operation.method };
    moved.set(place, there);
  }
  return there;
}
