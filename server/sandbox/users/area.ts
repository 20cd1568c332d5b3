import type { Area, SeedPart } from '../area.ts';
import { addUserOfDay, signInOfDay } from './day.ts';
import { createDeletedExpiry } from './deleted.ts';
import { deletedUsers } from './deleted-resource.ts';
import { userImports } from './migrations/032-user-imports.ts';
import { userSearch } from './migrations/052-user-search.ts';
import { userImportColumns } from './migrations/113-user-import-columns.ts';
import { userSearchKeys } from './migrations/116-user-search-keys.ts';
import { deletedUsers as deletedUsersTable } from './migrations/180-deleted-users.ts';
import { ordersOfUsers } from './migrations/181-orders-of-users.ts';
import { importGroups } from './migrations/182-import-groups.ts';
import { users } from './resource.ts';
import { addUserRoutes } from './routes.ts';
import { insertNamedUser, namedUsers } from './seed.ts';
import './tables.ts';

/** The people of customers. */
export const usersArea: Area = {
  name: 'users',
  migrations: {
    '032-user-imports': userImports,
    '052-user-search': userSearch,
    '113-user-import-columns': userImportColumns,
    '116-user-search-keys': userSearchKeys,
    '180-deleted-users': deletedUsersTable,
    '181-orders-of-users': ordersOfUsers,
    '182-import-groups': importGroups,
  },
  seed: namedUsers.map(
    (user): SeedPart => ({
      name: `user ${user.email}`,
      insert: (trx, { now, passwordHash }) => insertNamedUser(trx, user, now, passwordHash),
    }),
  ),
  routes: [addUserRoutes],
  start: async (db, { now }) => {
    await db.deleteFrom('user_imports').where('expires', '<', now).execute();
  },
  resources: [users, deletedUsers],
  day: signInOfDay,
  dayOfReseller: addUserOfDay,
  tick: createDeletedExpiry,
};
