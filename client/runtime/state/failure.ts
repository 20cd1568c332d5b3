/** Why a request failed: the HTTP status (0 when there was no answer) and what to say. */
export class Failure extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
