import type { Work } from '../every.ts';
import type { Parts } from '../parts.ts';
import { endAct } from './decide.ts';

/** Ends the acts that nobody has decided on in time, one in a transaction. */
export function createExpiry({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  return {
    async run() {
      const due = db.selectFrom('approvals').select('id').where('state', '=', 'Waiting').where('expires', '<=', now());
      for (const { id } of await due.orderBy('id').limit(1000).execute())
        await db.transaction().execute(async trx => {
          const held = trx.selectFrom('approvals').selectAll().where('id', '=', id).where('state', '=', 'Waiting');
          const found = await held.forUpdate().executeTakeFirst();
          if (found) await endAct({ trx, now: now() }, found, 'Expired');
        });
    },
  };
}

/** Deletes what was decided more than 400 days ago. */
export async function forgetDecided(db: Parts['db'], now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - 400 * 86_400_000);
  await db.deleteFrom('approvals').where('decided', '<', oldest).execute();
}
