import { sql } from 'kysely';
import type { Work } from '../every.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';

/** Tells all open pages that the network, or what is announced for it, changed. */
export const hintNetwork = (db: Database): Promise<void> =>
  sendHint(db, { everyone: true }, { kind: 'network-changed' });

/** Tells open pages when something that was announced begins or ends by itself. */
export function createTurns({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  let looked = now();
  return {
    async run() {
      const [from, to] = [looked, now()];
      const { rows } = await sql`
        select from network_events e where not e.is_over
          and ((e.starts > ${from} and e.starts <= ${to}) or (e.ends > ${from} and e.ends <= ${to})) limit 1`.execute(
        db,
      );
      if (rows.length > 0) await hintNetwork(db);
      looked = to;
    },
  };
}
