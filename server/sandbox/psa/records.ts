import { autotask } from './autotask.ts';
import { connectWise } from './connectwise.ts';
import type { Credentials, Kind, PsaProduct } from './tables.ts';

/** A customer or something sold, as a business system has it. */
export type PsaRecord = { readonly id: string; readonly name: string; readonly price: number | null };

/** Where a business system is and how it knows who asks. */
export type PsaAddress = { readonly base: string; readonly credentials: Credentials };

/** Reads all active records of a kind, page by page. Throws a PsaFailure. */
export type ReadPsa = (address: PsaAddress, kind: Kind) => Promise<PsaRecord[]>;

export const psaProducts: Readonly<Record<PsaProduct, { readonly name: string; readonly read: ReadPsa }>> = {
  1: { name: 'Autotask', read: autotask },
  6: { name: 'ConnectWise', read: connectWise },
};
