import { type RawBuilder, sql } from 'kysely';

/**
 * Builds SQL that is true of a service that is held: ordered, active, changing or failed, and neither deleted nor
 * replaced by an upgrade. Whatever lists or counts what somebody has goes by this. `alias` names the row of
 * `service_instances`.
 */
export const isHeld = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.status`)} not in ('Deleted', 'Upgraded'))`;

/** Builds SQL that is true of the product `p` of a row of another table, which names it by `service_id` and `sub_id`. */
export const isProductOf = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(p.service_id = ${sql.ref(`${alias}.service_id`)} and p.sub_id = ${sql.ref(`${alias}.sub_id`)})`;

/** Builds SQL for the join of that product. */
export const joinProduct = (alias: string) => sql`join products p on ${isProductOf(alias)}`;
