import type { Area } from '../area.ts';
import { addUsageOfDay } from './day.ts';
import { forgetWaiting, usageFiles } from './files.ts';
import { usage } from './migrations/018-usage.ts';
import { usageSources } from './migrations/100-usage-sources.ts';
import { usagePreviews } from './migrations/112-usage-previews.ts';
import { usageRates } from './migrations/118-usage-rates.ts';
import { addUsageRoutes } from './routes.ts';
import { insertPlatforms, insertUsage } from './seed.ts';
import './tables.ts';

/** Usage of the cloud platform. */
export const usageArea: Area = {
  name: 'usage',
  migrations: {
    '018-usage': usage,
    '100-usage-sources': usageSources,
    '112-usage-previews': usagePreviews,
    '118-usage-rates': usageRates,
  },
  seed: [
    { name: 'usage', insert: (trx, { now }) => insertUsage(trx, now) },
    { name: 'cloud platforms', insert: (trx, { now }) => insertPlatforms(trx, now) },
  ],
  routes: [addUsageRoutes],
  resources: [usageFiles],
  start: (db, { now }) => forgetWaiting(db, now),
  async day(trx, day) {
    await addUsageOfDay(trx, day);
    await forgetWaiting(trx, day.start);
  },
};
