import type { Credentials, Kind } from './tables.ts';

/** A customer or something sold, as a business system has it. */
export type PsaRecord = { readonly id: string; readonly name: string; readonly price: number | null };

/** What a contract of a business system bills a customer for now. */
export type PsaContract = {
  readonly id: string;
  readonly name: string;
  readonly customer: string;
  readonly lines: readonly PsaLine[];
};

export type PsaLine = {
  readonly id: string;
  readonly service: string;
  readonly quantity: number;
  /** What a unit and month costs the reseller, as the business system has it; null where it does not say. */
  readonly cost: number | null;
  /** When it began to bill this, in ISO 8601; null where it does not say. */
  readonly since: string | null;
};

/** Where a business system is and how it knows who asks. */
export type PsaAddress = { readonly base: string; readonly credentials: Credentials };

/** Reads a business system page by page. Throws a PsaFailure. */
export type PsaClient = {
  readonly name: string;
  /** All active records of a kind. */
  read(address: PsaAddress, kind: Kind): Promise<PsaRecord[]>;
  /** All contracts that run, with what they bill at a moment. */
  readContracts(address: PsaAddress, at: Date): Promise<PsaContract[]>;
};
