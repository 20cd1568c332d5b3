import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';

/**
 * Lets in the reseller's own people, in their own name: nobody decides while they act as another person.
 * @throws {CloudError} 404
 */
export async function permitOwnPeople({ caller }: { readonly caller: Caller }): Promise<undefined> {
  if (caller.customerId !== null || caller.actorName !== null) throw notFound();
}
