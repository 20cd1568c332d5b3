import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

/** Names under which a secret could end up in a log line; their values never do. */
const secrets = [
  'password',
  'Password',
  'token',
  'access',
  'refresh',
  'access_token',
  'refresh_token',
  'cookie',
  'authorization',
  'set-cookie',
  'body',
];

/** Creates the structured log (pino); secrets, cookies and bodies are left out. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: secrets.flatMap(name => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`]),
      censor: '[secret]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Writes lines of one kind sparingly: the first at once, then one a second that counts the others. */
export type SparingLog = (
  kind: string,
  line: Readonly<Record<string, unknown>> & { readonly reference?: string },
  message: string,
) => void;

/** Milliseconds between two lines of one kind. */
const between = 1000;
/** Of how many requests a line names the reference, and how many kinds are told apart. */
const mostReferences = 100;
const mostKinds = 100;

/**
 * Wraps the log for messages that an outage repeats with every request: of one kind it writes the first and then a
 * count now and then.
 */
export function createSparingLog(log: Logger, level: 'warn' | 'error'): SparingLog {
  const running = new Map<string, { count: number; references: string[] }>();

  const count = (kind: string, message: string): void => {
    const others = running.get(kind);
    if (!others || others.count === 0) return void running.delete(kind);
    log[level]({ kind, count: others.count, references: others.references }, `${message}, again`);
    running.set(kind, { count: 0, references: [] });
    setTimeout(count, between, kind, message).unref();
  };

  return (given, line, message) => {
    const kind = running.has(given) || running.size < mostKinds ? given : 'others';
    const others = running.get(kind);
    if (!others) {
      running.set(kind, { count: 0, references: [] });
      setTimeout(count, between, kind, message).unref();
      return log[level](line, message);
    }
    others.count += 1;
    if (line.reference !== undefined && others.references.length < mostReferences)
      others.references.push(line.reference);
  };
}
