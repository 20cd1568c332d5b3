import type { DocumentErrors } from '../../shared/contract/realtime.ts';
import type { Layouts } from '../layouts/index.ts';

/** Errors of one event, and characters of a message. */
const mostErrors = 3;
const longestMessage = 300;

/** Gives the errors in the layout documents as last saved, for the notice to those who edit them; bounded in number. */
export function documentErrors(layouts: Layouts): DocumentErrors {
  const found = layouts.problems().filter(({ severity }) => severity === 'error');
  const errors = found.slice(0, mostErrors).map(({ file, line, column, message }) => ({
    ...{ file, line, column },
    message: message.length > longestMessage ? `${message.slice(0, longestMessage - 1)}…` : message,
  }));
  return { errors, others: found.length - errors.length };
}
