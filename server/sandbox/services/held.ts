import { type RawBuilder, sql } from 'kysely';

/**
 * Builds SQL that is true of a service that is held: ordered, active, changing or failed, and neither deleted nor
 * replaced by an upgrade. Whatever lists or counts what somebody has goes by this. `alias` names the row of
 * `service_instances`.
 */
export const isHeld = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.status`)} not in ('Deleted', 'Upgraded'))`;
