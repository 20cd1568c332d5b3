import type { Area } from '../area.ts';
import { integrationChecks } from './migrations/172-integration-checks.ts';
import { addIntegrationRoutes } from './routes.ts';
import './tables.ts';

/** What a reseller can connect with the portal, and how far each of these is set up. */
export const integrationArea: Area = {
  name: 'integration',
  migrations: { '172-integration-checks': integrationChecks },
  routes: [addIntegrationRoutes],
};
