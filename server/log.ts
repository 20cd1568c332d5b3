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

/** A structured log without secrets, cookies or bodies. */
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
