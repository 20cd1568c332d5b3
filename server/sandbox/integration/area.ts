import type { Area } from '../area.ts';
import { integrationChecks } from './migrations/172-integration-checks.ts';
import { addIntegrationRoutes } from './routes.ts';
import './tables.ts';

/** The systems that a reseller can connect with the portal, and how far each is set up. */
export const integrationArea: Area = {
  name: 'integration',
  migrations: { '172-integration-checks': integrationChecks },
  routes: [addIntegrationRoutes],
};
