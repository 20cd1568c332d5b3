import type { Area } from '../area.ts';
import { resellerSettings } from './migrations/181-reseller-settings.ts';
import { resellerLocale } from './migrations/194-reseller-locale.ts';
import { addResellerSettingsRoutes } from './routes.ts';
import './tables.ts';

/** Settings of a reseller that hold for all its customers. */
export const resellerSettingsArea: Area = {
  name: 'reseller-settings',
  migrations: { '181-reseller-settings': resellerSettings, '194-reseller-locale': resellerLocale },
  routes: [addResellerSettingsRoutes],
};
