import type { Area } from '../area.ts';
import { departures } from './migrations/135-departures.ts';
import { addLeavingRoutes } from './routes.ts';
import './tables.ts';

/** People who leave, and come back within a week. */
export const leavingArea: Area = {
  name: 'leaving',
  migrations: { '135-departures': departures },
  routes: [addLeavingRoutes],
  start: async (db, { now }) => {
    await db.deleteFrom('departures').where('undo_until', '<', now).execute();
  },
};
