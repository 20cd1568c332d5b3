import type { Logger } from 'pino';
import type { ErrorCode, PortalError } from '../errors.ts';

export type Failure = {
  readonly reference: string;
  readonly route: string;
  readonly error: PortalError;
  /** True where someone who is not signed in could cause it. */
  readonly anonymous: boolean;
};

/** Tells the log of failures, within bounds where one cause makes many of them. */
export type FailureLog = { tell(failure: Failure): void; close(): void };

/** Their cause is not in the request: a line for each would tell nothing new, just when there are most of them. */
const alike = new Set<ErrorCode>(['BUSY', 'STORE_DOWN', 'TOO_MANY']);
/** Lines in a minute of one of these codes, and of all that anonymous requests cause. */
const linesAlike = 60;
const linesOfStrangers = 600;
const window = 60_000;

export function createFailureLog(log: Logger): FailureLog {
  const told = new Map<string, number>();
  const left = new Map<ErrorCode, number>();
  let timer: NodeJS.Timeout | undefined;

  const sumUp = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [code, count] of left) log.warn({ code, count }, 'more requests failed than are told one by one');
    told.clear();
    left.clear();
  };

  const hasRoom = (of: string, most: number): boolean => {
    if (!timer) {
      timer = setTimeout(sumUp, window);
      timer.unref();
    }
    const count = (told.get(of) ?? 0) + 1;
    told.set(of, count);
    return count <= most;
  };

  return {
    tell({ reference, route, error, anonymous }) {
      const { code, status, parts } = error;
      const isAlike = alike.has(code);
      if (isAlike ? !hasRoom(code, linesAlike) : anonymous && !hasRoom('strangers', linesOfStrangers)) {
        left.set(code, (left.get(code) ?? 0) + 1);
        return;
      }
      const reason = parts.cause instanceof Error ? parts.cause.message : undefined;
      const line = { reference, code, detail: parts.detail, route };
      if (status < 500) log.info(line, 'request refused');
      else if (isAlike) log.error({ ...line, reason }, 'request failed');
      else log.error({ ...line, err: parts.cause ?? error }, 'request failed');
    },
    close: sumUp,
  };
}
