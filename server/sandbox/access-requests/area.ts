import type { Area } from '../area.ts';
import { createRequestExpiry } from './expire.ts';
import { accessRequestsTable } from './migrations/137-access-requests.ts';
import { addAccessRequestRoutes } from './routes.ts';
import './tables.ts';

/** Requests of people who lack a right. */
export const accessRequestsArea: Area = {
  name: 'access-requests',
  migrations: { '137-access-requests': accessRequestsTable },
  routes: [addAccessRequestRoutes],
  tick: createRequestExpiry,
};
