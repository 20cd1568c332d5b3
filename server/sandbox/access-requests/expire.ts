import type { Work } from '../every.ts';
import type { Parts } from '../parts.ts';
import { endRequest, withAsker } from './endings.ts';

/** Ends the requests that nobody has answered in time, each by itself. */
export function createRequestExpiry({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  return {
    async run() {
      const moment = now();
      const due = await withAsker(db)
        .where('q.state', '=', 'Open')
        .where('q.expires', '<', moment)
        .orderBy('q.id')
        .limit(200)
        .execute();
      for (const request of due)
        await db.transaction().execute(async trx => {
          const open = await trx
            .selectFrom('access_requests')
            .select('id')
            .where('id', '=', request.id)
            .where('state', '=', 'Open')
            .forUpdate()
            .executeTakeFirst();
          if (open) await endRequest(trx, request, { state: 'Expired', now: moment });
        });
    },
  };
}
