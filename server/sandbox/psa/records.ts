import type { Credentials, Kind } from './tables.ts';

/** A customer or something sold, as a business system has it. */
export type PsaRecord = { readonly id: string; readonly name: string; readonly price: number | null };

/** A contract of a business system, with the lines that it bills a customer now. */
export type PsaContract = {
  readonly id: string;
  readonly name: string;
  readonly customer: string;
  readonly lines: readonly PsaLine[];
};

export type PsaLine = {
  readonly id: string;
  readonly service: string;
  /** How many the customer pays. */
  readonly quantity: number;
  /** How many more the contract includes at no charge; absent: none. */
  readonly included?: number;
  /** Cost of a unit and month to the reseller, as the business system has it; null where it does not say. */
  readonly cost: number | null;
  /** When it began to bill this, in ISO 8601; null where it does not say. */
  readonly since: string | null;
};

/** Address of a business system, and the credentials for it. */
export type PsaAddress = { readonly base: string; readonly credentials: Credentials };

/** A change to a line of a contract. */
export type PsaLineWrite = {
  readonly contract: string;
  /** The line as it is, just read; null: a new one is added. */
  readonly line: PsaLine | null;
  readonly service: string;
  /** Values to bill from now on; null: none, the line ends. */
  readonly after: { readonly quantity: number; readonly cost: string | null } | null;
  /** The first day for which a new line bills, or one that ends does not: YYYY-MM-DD. */
  readonly from: string;
};

/** Reads a business system page by page, and writes to it line by line. Throws a PsaFailure. */
export type PsaClient = {
  readonly name: string;
  /** All active records of a kind. */
  read(address: PsaAddress, kind: Kind): Promise<PsaRecord[]>;
  /** All contracts that run, with what they bill at a moment. */
  readContracts(address: PsaAddress, at: Date): Promise<PsaContract[]>;
  /** Lines that one contract bills at a moment. */
  readLines(address: PsaAddress, contract: string, at: Date): Promise<readonly PsaLine[]>;
  writeLine(address: PsaAddress, write: PsaLineWrite): Promise<void>;
};
