import { sql } from 'kysely';
import type { Work } from '../every.ts';
import type { Parts } from '../parts.ts';
import { takeBack } from './change.ts';
import { changeIpAccess, holdIpAccess } from './state.ts';

/** Takes back what nobody has kept in time, and ends pauses that are over; one reseller in a transaction. */
export function createEndings({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  return {
    async run() {
      const due = db.selectFrom('ip_access').select('reseller_id');
      const ended = due.where(sql<boolean>`least(trial_until, paused_until) <= ${now()}`).limit(1000);
      for (const { reseller_id: resellerId } of await ended.execute())
        await db.transaction().execute(async trx => {
          const held = await holdIpAccess(trx, resellerId);
          const at = now();
          const isOver = (moment: Date | null): boolean => moment !== null && moment <= at;
          if (isOver(held.row.trial_until)) await takeBack(trx, held, { now: at });
          if (isOver(held.row.paused_until))
            await changeIpAccess(
              trx,
              { resellerId, now: at },
              { action: 'IP access resumed', row: { paused_until: null } },
            );
        });
    },
  };
}
