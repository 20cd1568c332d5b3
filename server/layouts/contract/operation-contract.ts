import type { Operation } from '../../../shared/language/types.ts';
import type { Contract } from './contract.ts';
import { readContract } from './read-contract.ts';

const contracts = new WeakMap<Operation, { readonly contract: Contract | undefined }>();

/** What an operation declares of its Result; undefined where nothing comes back. */
export function contractOf(operation: Operation): Contract | undefined {
  let known = contracts.get(operation);
  if (!known) {
    known = { contract: operation.reply === undefined ? undefined : readContract(operation.reply) };
    contracts.set(operation, known);
  }
  return known.contract;
}
