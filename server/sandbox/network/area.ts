import type { Area } from '../area.ts';
import { networkStatus } from './migrations/193-network-status.ts';
import { addNetworkPages } from './page-routes.ts';
import { addNetworkRoutes } from './routes.ts';
import { insertNetwork } from './seed.ts';
import './tables.ts';
import { createTurns } from './turns.ts';

/** How the network is: components, incidents and maintenance (document 2, section 7: Network). */
export const networkArea: Area = {
  name: 'network',
  migrations: { '193-network-status': networkStatus },
  seed: [{ name: 'network status', insert: insertNetwork }],
  routes: [addNetworkRoutes],
  openRoutes: [addNetworkPages],
  tick: createTurns,
};
