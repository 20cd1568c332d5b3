import type { Area } from '../area.ts';
import { addBulkRoutes } from './bulk-routes.ts';
import { orders } from './migrations/015-orders.ts';
import { bulkQuantities } from './migrations/041-bulk-quantities.ts';
import { cancelledOrders } from './migrations/060-cancelled-orders.ts';
import { insertPastOrders, isUnsettled } from './past-orders.ts';
import { addOrderRoutes } from './routes.ts';
import { insertOrders } from './seed.ts';
import './tables.ts';

/** Orders, for one customer and for many. */
export const ordersArea: Area = {
  name: 'orders',
  migrations: { '015-orders': orders, '041-bulk-quantities': bulkQuantities, '060-cancelled-orders': cancelledOrders },
  seed: [
    { name: 'orders', insert: insertOrders },
    // Of databases that were filled before their orders stood in the list.
    { name: 'orders that are not settled', insert: trx => insertPastOrders(trx, isUnsettled) },
  ],
  routes: [addOrderRoutes, addBulkRoutes],
};
