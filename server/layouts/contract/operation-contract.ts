import type { Operation } from '../../../shared/language/types.ts';
import type { Contract } from '../names/contract.ts';
import { readContract } from './read-contract.ts';

const contracts = new WeakMap<Operation, { readonly contract: Contract | undefined }>();

/** Gives the contract that an operation declares for the `Result` of its reply; undefined when it returns none. */
export function contractOf(operation: Operation): Contract | undefined {
  let known = contracts.get(operation);
  if (!known) {
    known = { contract: operation.reply === undefined ? undefined : readContract(operation.reply) };
    contracts.set(operation, known);
  }
  return known.contract;
}
