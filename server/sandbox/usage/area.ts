import type { Area } from '../area.ts';
import { addUsageOfDay } from './day.ts';
import { forgetStaged } from './load.ts';
import { usage } from './migrations/018-usage.ts';
import { usageSources } from './migrations/100-usage-sources.ts';
import { addUsageRoutes } from './routes.ts';
import { insertPlatforms, insertUsage } from './seed.ts';
import './tables.ts';

/** Usage of the cloud platform. */
export const usageArea: Area = {
  name: 'usage',
  migrations: { '018-usage': usage, '100-usage-sources': usageSources },
  seed: [
    { name: 'usage', insert: (trx, { now }) => insertUsage(trx, now) },
    { name: 'cloud platforms', insert: (trx, { now }) => insertPlatforms(trx, now) },
  ],
  routes: [addUsageRoutes],
  start: (db, { now }) => forgetStaged(db, now),
  day: addUsageOfDay,
};
