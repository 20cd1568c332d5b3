import { PortalError } from '../errors.ts';

/** Tells a database that has stopped answering from one that is only slow. */
export type LivenessMonitor = {
  /** True from the moment that waiting work was failed until the next `recordReply`. */
  readonly isUnresponsive: () => boolean;
  /** Records that the database answered something, even a refusal. */
  recordReply(): void;
  /**
   * Runs `work` and gives its result. Rejects with STORE_DOWN when the database has answered nothing at all for
   * 1.75 seconds, and at once while it is unresponsive. Work that was rejected is not cancelled.
   */
  guard<T>(work: () => Promise<T>): Promise<T>;
};

/** Milliseconds between two checks. A request waits `checkInterval * maxChecks` for a database that says nothing. */
const checkInterval = 250;
const maxChecks = 7;

const unresponsive = (): PortalError => new PortalError('STORE_DOWN', { detail: 'the database says nothing' });

/**
 * Creates the monitor that tells a dead database from a slow one: any answer on any connection counts as alive. Its
 * timer counts its own ticks instead of the clock, since a process too busy for a tick could not have received an
 * answer.
 */
export function createLivenessMonitor(): LivenessMonitor {
  const waiting = new Set<(error: PortalError) => void>();
  let checks = 0;
  let isUnresponsive = false;
  let timer: NodeJS.Timeout | undefined;

  const countCheck = (): void => {
    checks += 1;
    if (checks < maxChecks) return;
    isUnresponsive = true;
    for (const fail of waiting) fail(unresponsive());
    waiting.clear();
    stopWhenIdle();
  };
  const stopWhenIdle = (): void => {
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    checks = 0;
  };

  return {
    isUnresponsive: () => isUnresponsive,
    recordReply() {
      checks = 0;
      isUnresponsive = false;
    },
    guard(work) {
      if (isUnresponsive) return Promise.reject(unresponsive());
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        timer ??= setInterval(countCheck, checkInterval).unref();
        void work()
          .then(resolve, reject)
          .finally(() => {
            waiting.delete(reject);
            stopWhenIdle();
          });
      });
    },
  };
}
