import assert from 'node:assert/strict';
import { readContract } from '../../server/layouts/contract/read-contract.ts';
import type { Contract } from '../../server/layouts/names/contract.ts';

/** The contract that a notation says; fails for one that says none. */
export function contractOf(reply: unknown): Contract {
  const problems: string[] = [];
  const contract = readContract(reply, { problem: message => problems.push(message) });
  assert.deepEqual(problems, []);
  assert.ok(contract);
  return contract;
}
