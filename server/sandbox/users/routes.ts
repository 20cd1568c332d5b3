import { managesUsers } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, integer, list, object, orNull, string } from '../http/schema.ts';
import { addImport } from '../imports/routes.ts';
import type { Parts } from '../parts.ts';
import { holdReseller } from '../roles/change.ts';
import { userImport } from './import.ts';
import { checkRestoring, restoreUser } from './restore.ts';

const findings = list(object({ Code: string, Count: integer, Detail: string }));
const check = object({ Obstacle: orNull(string), Findings: findings });

/** Adds the import of users and the restoring of deleted ones; the users themselves are a plain resource. */
export function addUserRoutes(app: App, { db, now }: Pick<Parts, 'db' | 'now'>): void {
  addImport(app, { db, now }, userImport);
  const route = routeAdder(app, db, { tags: ['users'], needs: managesUsers });
  route(
    'GET /api/customers/:customerId/deleted-users/:userId/can-restore',
    { summary: 'What restoring a deleted user brings back and does not, and what stands in the way.', reply: check },
    async ({ caller, params: { customerId, userId } }) => {
      const address = { customerId: await customerIdOf(db, caller, customerId), userId: idOf(userId) };
      return await checkRestoring(db, address, { caller, now: now() });
    },
  );
  route(
    'POST /api/customers/:customerId/deleted-users/:userId/restore',
    { once: true, mayWait: true },
    async ({ trx, caller, params: { customerId, userId } }) => {
      await holdReseller(trx, caller.resellerId);
      const address = { customerId: await customerIdOf(trx, caller, customerId), userId: idOf(userId) };
      await restoreUser(trx, address, { caller, now: now() });
      return 'The user was restored.';
    },
  );
}
