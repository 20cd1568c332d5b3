import { type RawBuilder, sql } from 'kysely';

/**
 * Builds SQL that is true of a service that is held: ordered, active, changing or failed, and neither deleted nor
 * replaced by an upgrade. Whatever lists or counts what somebody has goes by this. `alias` names the row of
 * `service_instances`.
 */
export const isHeld = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.status`)} not in ('Deleted', 'Upgraded'))`;

/** Builds SQL for a join of the product of a row, as `p`. */
export const joinProduct = (alias: string) =>
  sql`join products p on p.service_id = ${sql.ref(`${alias}.service_id`)} and p.sub_id = ${sql.ref(`${alias}.sub_id`)}`;
