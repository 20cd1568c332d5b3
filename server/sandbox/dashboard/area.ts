import type { Area } from '../area.ts';
import { quickLinks } from './migrations/017-quick-links.ts';
import { closeMonth } from './month.ts';
import { addQuickLinkRoutes } from './quick-link-routes.ts';
import { addDashboardRoutes } from './routes.ts';
import './tables.ts';

/** The area of the first page, which sums up the others. */
export const dashboardArea: Area = {
  name: 'dashboard',
  migrations: { '017-quick-links': quickLinks },
  routes: [addDashboardRoutes, addQuickLinkRoutes],
  day: closeMonth,
};
