import { Pool } from 'undici';
import { PortalError } from '../errors.ts';
import { type CallCaller, createFairShare } from './fair-share.ts';

/**
 * `rights`: what the portal asks of the cloud by itself, to find out who somebody is and what they may do. `files`: the
 * files of the cloud, which take as long as a browser takes to receive them. `uploads`: files of browsers, which take as
 * long as these take to send them.
 */
export type CloudServiceName = 'cloud' | 'auth' | 'rights' | 'files' | 'uploads';
/** `sso` and `office`: the identity providers. */
export type ServiceName = CloudServiceName | 'sso' | 'office';

/** How a call of an upstream ended; `refused`: it was not made, as too many were under way or none is answered. */
export type CallOutcome = 'answered' | 'failed' | 'timeout' | 'refused';

/** Is told what becomes of the calls. */
export type CloudWatch = {
  observe(service: ServiceName, outcome: CallOutcome, seconds: number): void;
  /** No call is made for the time being, or calls are made again. */
  paused(service: ServiceName, isPaused: boolean): void;
};

/**
 * Does work that calls a service. Throws UPSTREAM_BUSY where `most` calls are under way, or `caller` has had its share
 * of them for too long (`fair-share.ts`): a service that hangs holds no more of the requests that a portal works on at
 * once. Throws UPSTREAM_PAUSED at once where the last calls were not answered; after `pause` one call finds out whether
 * they are again. A call counts as under way until `end` of its reply, where that is given.
 */
export type Guard = <T>(
  work: () => Promise<T>,
  signal?: AbortSignal | undefined,
  end?: (reply: T) => Promise<void> | undefined,
  caller?: CallCaller,
) => Promise<T>;

/** A service behind the gate. */
export type Upstream = {
  readonly base: URL;
  readonly pool: Pool;
  readonly run: Guard;
};

/** Of the 1,000 requests that a portal works on at once (routes/load.ts), so that some remain for what needs none of them. */
export const most = {
  ...{ cloud: 420, auth: 150, rights: 150, files: 100, uploads: 50 },
  ...{ sso: 40, office: 40 },
} as const satisfies Record<ServiceName, number>;
/** Calls in a row without an answer; an identity provider is called much more seldom. */
const enough = { cloud: 10, auth: 10, rights: 10, files: 10, uploads: 10, sso: 3, office: 3 } as const satisfies Record<
  ServiceName,
  number
>;
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

/**
 * Creates the function that every call of a service of the cloud goes through: it counts calls under way and failures
 * in a row, and refuses calls while there are too many (see `Guard`). Tells `watch` how each call ended, and when calls
 * pause.
 */
export function createGuard(service: ServiceName, watch: CloudWatch | undefined): Guard {
  let silences = 0;
  let pausedUntil = 0;
  let isProbing = false;
  let lastAnswer = 0;

  const refuse = (code: 'UPSTREAM_BUSY' | 'UPSTREAM_PAUSED'): never => {
    watch?.observe(service, 'refused', 0);
    throw new PortalError(code, { detail: service });
  };

  const share = createFairShare(most[service], () => refuse('UPSTREAM_BUSY'));

  const hearAnswer = (): void => {
    lastAnswer = performance.now();
    if (silences >= enough[service]) watch?.paused(service, false);
    silences = 0;
  };

  /** A call that began before the last answer says nothing of how things are since. */
  const hearSilence = (began: number): void => {
    if (began < lastAnswer) return;
    silences += 1;
    if (silences < enough[service]) return;
    pausedUntil = performance.now() + pause;
    if (silences === enough[service]) watch?.paused(service, true);
  };

  const checkPause = (): boolean => {
    const isProbe = silences >= enough[service];
    if (isProbe && (isProbing || performance.now() < pausedUntil)) refuse('UPSTREAM_PAUSED');
    return isProbe;
  };

  return async (work, signal, end, caller = {}) => {
    checkPause();
    const entered = share.enter(caller, signal);
    const release = entered instanceof Promise ? await entered : entered;
    let isProbe: boolean;
    try {
      // Calls may have paused while this one waited.
      isProbe = checkPause();
    } catch (error) {
      release();
      throw error;
    }
    const began = performance.now();
    isProbing ||= isProbe;
    let outcome: CallOutcome = 'answered';
    let ending: Promise<void> | undefined;
    try {
      const reply = await work();
      hearAnswer();
      ending = end?.(reply);
      return reply;
    } catch (error) {
      // Whoever asked may have gone away, which is no fault of the service.
      const isTimeout = isSilence(error) && !signal?.aborted;
      outcome = isTimeout ? 'timeout' : 'failed';
      if (isTimeout) hearSilence(began);
      else if (!signal?.aborted) hearAnswer();
      throw error;
    } finally {
      if (ending) ending.then(release, release);
      else release();
      if (isProbe) isProbing = false;
      watch?.observe(service, outcome, (performance.now() - began) / 1000);
    }
  };
}

/** Creates the connection pool of one service of the cloud, with its guard; a slow service holds up no other. */
export function createUpstream(service: CloudServiceName, base: URL, watch: CloudWatch | undefined): Upstream {
  // Pools are apart per service, so that a slow one holds up nobody else.
  const pool = new Pool(base.origin, {
    connections: 256,
    pipelining: 1,
    connect: { timeout: 5000 },
    keepAliveTimeout: 4000,
  });
  return { base, pool, run: createGuard(service, watch) };
}
