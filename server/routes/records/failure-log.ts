import type { Logger } from 'pino';
import type { ErrorCode, PortalError } from '../../errors.ts';
import { createSparingLog } from '../../log.ts';

export type Failure = {
  readonly reference: string;
  readonly route: string;
  readonly error: PortalError;
  /** True where someone who is not signed in could cause it. */
  readonly anonymous: boolean;
};

/** Tells the log of failures, within bounds where one cause makes many of them. */
export type FailureLog = { tell(failure: Failure): void; close(): void };

/** Lines in a minute of what is refused for being too much, and of all else that anonymous requests are refused. */
const linesOfTooMany = 60;
const linesOfStrangers = 600;
const window = 60_000;

/**
 * Creates the log of failed requests. Of each kind of failure it writes a bounded number per time window, then a count.
 */
export function createFailureLog(log: Logger): FailureLog {
  const logFailure = createSparingLog(log, 'error');
  const left = new Map<ErrorCode, number>();
  const told = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const sumUp = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [code, count] of left) log.warn({ code, count }, 'more requests were refused than are told one by one');
    told.clear();
    left.clear();
  };

  const hasRoom = (kind: string, most: number): boolean => {
    if (!timer) {
      timer = setTimeout(sumUp, window);
      timer.unref();
    }
    const count = (told.get(kind) ?? 0) + 1;
    told.set(kind, count);
    return count <= most;
  };

  return {
    tell({ reference, route, error, anonymous }) {
      const { code, status, parts } = error;
      const line = { reference, code, detail: parts.detail, route };
      if (code === 'INTERNAL') {
        const err = (parts.cause ?? error) as Error;
        logFailure(`INTERNAL ${err.message}`, { ...line, err }, 'request failed');
      } else if (status >= 500) {
        // Where it was thrown tells nothing of an outage.
        const reason = (parts.cause as Error | undefined)?.message;
        logFailure(code, { ...line, reason }, 'request failed');
      } else {
        const isTold =
          code === 'TOO_MANY' ? hasRoom(code, linesOfTooMany) : !anonymous || hasRoom('anonymous', linesOfStrangers);
        if (isTold) log.info(line, 'request refused');
        else left.set(code, (left.get(code) ?? 0) + 1);
      }
    },
    close: sumUp,
  };
}
