import type { Caller } from '../auth/caller.ts';
import type { Write } from '../tables.ts';
import type { Act } from './act.ts';
import { CloudError } from './errors.ts';

/**
 * Says that an act waits until another person approves it. A route that `mayWait` keeps the act and answers 202; in every
 * other route it is a refusal.
 */
export class ActWaits extends CloudError {
  readonly act: Act;

  constructor(act: Act) {
    super(409, 'NeedsApproval', ['This needs the approval of another person.']);
    this.act = act;
  }
}

/** A call as it was asked for: its route, and what was validated. */
export type AskedCall = {
  /** Method and address of the route, "POST /api/customers/:customerId/delete". */
  readonly route: string;
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
};

/** A route whose acts may wait. */
export type ActRoute = {
  /** True where the caller holds the right that the route needs. */
  readonly isOpenTo: (caller: Caller, params: object) => boolean;
  /**
   * Does what was asked for, in the name of this caller and with all checks of the route.
   * @throws {CloudError} as the route
   */
  readonly run: (trx: Write, caller: Caller, asked: AskedCall) => Promise<unknown>;
};

/** The acts that wait for the approval of another person. */
export type Acts = {
  /** The routes whose acts may wait, by method and address. */
  readonly routes: Map<string, ActRoute>;
  /**
   * Keeps an act until somebody decides, or finds the same one where it waits already.
   * @throws {CloudError} 409 when too much of the caller waits
   */
  keep(trx: Write, caller: Caller, asked: AskedCall, act: Act): Promise<Waits>;
};

/** Says in a reply that the act waits. */
export type Waits = { readonly ApprovalId: string; readonly Until: Date };

declare module 'fastify' {
  interface FastifyInstance {
    acts: Acts;
  }
}
