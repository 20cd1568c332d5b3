import { PortalError } from '../errors.ts';

/** Whether a database answers at all, as heard from everything that is asked of it. */
export type Pulse = {
  readonly isSilent: () => boolean;
  /** Something was answered, be it a refusal. */
  beat(): void;
  /** Fails work that waits when nothing at all has been answered for a while, and new work at once until something is. */
  guard<T>(work: () => Promise<T>): Promise<T>;
};

/** Milliseconds. Their product is how long a request may wait for a database that says nothing. */
const look = 250;
const mostLooks = 7;

const silent = (): PortalError => new PortalError('STORE_DOWN', { detail: 'the database says nothing' });

/**
 * Told apart from a slow answer: while one query takes long, others are answered, at least those that keep the line for
 * notices alive. Silence is counted in looks and not by the clock, since a process that had no time to look had none to
 * hear either.
 */
export function createPulse(): Pulse {
  const waiting = new Set<(error: PortalError) => void>();
  let looks = 0;
  let isSilent = false;
  let timer: NodeJS.Timeout | undefined;

  const lookAgain = (): void => {
    looks += 1;
    if (looks < mostLooks) return;
    isSilent = true;
    for (const fail of waiting) fail(silent());
    waiting.clear();
    rest();
  };
  const rest = (): void => {
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    looks = 0;
  };

  return {
    isSilent: () => isSilent,
    beat() {
      looks = 0;
      isSilent = false;
    },
    guard(work) {
      if (isSilent) return Promise.reject(silent());
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        timer ??= setInterval(lookAgain, look).unref();
        void work()
          .then(resolve, reject)
          .finally(() => {
            waiting.delete(reject);
            rest();
          });
      });
    },
  };
}
