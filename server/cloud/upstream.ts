import { Pool } from 'undici';
import { PortalError } from '../errors.ts';

/** `rights`: what the portal asks of the cloud by itself, to find out who somebody is and what they may do. */
export type ServiceName = 'cloud' | 'auth' | 'rights';

/** How a call of an upstream ended; `refused`: it was not made, as too many were under way or none is answered. */
export type Outcome = 'answered' | 'failed' | 'timeout' | 'refused';

/** Is told what becomes of the calls. */
export type CloudWatch = {
  observe(service: ServiceName, outcome: Outcome, seconds: number): void;
  /** No call is made for the time being, or calls are made again. */
  paused(service: ServiceName, isPaused: boolean): void;
};

/** A service behind the gate. */
export type Upstream = {
  readonly base: URL;
  readonly pool: Pool;
  /**
   * Does work that calls the service. Throws UPSTREAM_BUSY where `most` calls are under way: a service that hangs holds
   * no more of the requests that a portal works on at once. Throws UPSTREAM_PAUSED at once where the last calls were not
   * answered; after `pause` one call finds out whether they are again.
   */
  run<T>(work: (pool: Pool) => Promise<T>, signal?: AbortSignal | undefined): Promise<T>;
};

/** Of the 1,000 requests that a portal works on at once (routes/busy.ts), so that some remain for what needs no cloud. */
const most = { cloud: 600, auth: 150, rights: 150 } as const satisfies Record<ServiceName, number>;
/** Calls in a row without an answer. */
const enough = 10;
/** Milliseconds. */
const pause = 5000;

/** True where the other side said nothing in all the time that it had; who refuses a connection has said so at once. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof PortalError)) return false;
  const { cause } = error.parts;
  if (error.code === 'OUTCOME_UNKNOWN') return isSilence(cause);
  return (
    error.code === 'UPSTREAM_TIMEOUT' || (cause as { code?: string } | undefined)?.code === 'UND_ERR_CONNECT_TIMEOUT'
  );
}

export function createUpstream(service: ServiceName, base: URL, watch: CloudWatch | undefined): Upstream {
  // Pools are apart per service, so that a slow one holds up nobody else.
  const pool = new Pool(base.origin, {
    connections: 256,
    pipelining: 1,
    connect: { timeout: 5000 },
    keepAliveTimeout: 4000,
  });
  let underWay = 0;
  let silences = 0;
  let pausedUntil = 0;
  let isProbing = false;
  let lastAnswer = 0;

  const refuse = (code: 'UPSTREAM_BUSY' | 'UPSTREAM_PAUSED'): never => {
    watch?.observe(service, 'refused', 0);
    throw new PortalError(code, { detail: service });
  };

  const hearAnswer = (): void => {
    lastAnswer = performance.now();
    if (silences >= enough) watch?.paused(service, false);
    silences = 0;
  };

  /** A call that began before the last answer says nothing of how things are since. */
  const hearSilence = (began: number): void => {
    if (began < lastAnswer) return;
    silences += 1;
    if (silences < enough) return;
    pausedUntil = performance.now() + pause;
    if (silences === enough) watch?.paused(service, true);
  };

  return {
    base,
    pool,
    async run(work, signal) {
      const began = performance.now();
      const isProbe = silences >= enough;
      if (isProbe && (isProbing || began < pausedUntil)) refuse('UPSTREAM_PAUSED');
      if (underWay >= most[service]) refuse('UPSTREAM_BUSY');
      underWay += 1;
      isProbing ||= isProbe;
      let outcome: Outcome = 'answered';
      try {
        const reply = await work(pool);
        hearAnswer();
        return reply;
      } catch (error) {
        // Whoever asked may have gone away, which is no fault of the service.
        const isTimeout = isSilence(error) && !signal?.aborted;
        outcome = isTimeout ? 'timeout' : 'failed';
        if (isTimeout) hearSilence(began);
        else if (!signal?.aborted) hearAnswer();
        throw error;
      } finally {
        underWay -= 1;
        if (isProbe) isProbing = false;
        watch?.observe(service, outcome, (performance.now() - began) / 1000);
      }
    },
  };
}
