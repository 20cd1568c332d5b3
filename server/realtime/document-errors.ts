import type { DocumentErrors } from '../../shared/contract/realtime.ts';
import type { Layouts } from '../layouts/index.ts';

/** Errors of one event, and characters of a message. */
const mostErrors = 3;
const longestMessage = 300;

/** The errors of the documents as they are saved, cut to what a notice has room for. */
export function documentErrors(layouts: Layouts): DocumentErrors {
  const found = layouts.problems().filter(({ severity }) => severity === 'error');
  const errors = found.slice(0, mostErrors).map(({ file, line, column, message }) => ({
    ...{ file, line, column },
    message: message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message,
  }));
  return { errors, others: found.length - errors.length };
}
