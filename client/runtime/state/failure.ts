import type { Envelope } from '../../../shared/contract/envelope.ts';

/** Why a request failed: the HTTP status (0 when there was no answer) and what to say. */
export class Failure extends Error {
  readonly status: number;
  /** Reference number of a fault about which the user can do nothing: see `faultReference`. */
  readonly reference: string | undefined;
  constructor(status: number, message: string, reference?: string) {
    super(message);
    this.status = status;
    this.reference = reference;
  }
}

/** Gives the reference number of a fault of the portal or its cloud; undefined where the input was wrong. */
export const faultReference = (status: number, envelope: Envelope | undefined): string | undefined =>
  status >= 500 ? envelope?.Resources?.reference : undefined;
