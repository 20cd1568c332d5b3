import { type RawBuilder, sql } from 'kysely';

/**
 * Builds SQL for the state of a profile, which names it to whoever edits it: of two who save over the same state, the
 * second is told. It changes with each of these values, whichever way they are written.
 */
export const profileVersion = (...values: readonly RawBuilder<unknown>[]) =>
  sql<string>`md5(json_build_array(${sql.join(values)})::text)`;

/** The state of a user's profile, over a row of `users`. */
export const userProfileVersion = profileVersion(
  sql`users.first_name`,
  sql`users.last_name`,
  sql`users.phone`,
  sql`users.job_title`,
);
