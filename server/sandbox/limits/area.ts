import type { Area } from '../area.ts';
import { limits } from './migrations/140-limits.ts';
import { sight } from './migrations/156-sight.ts';
import { limitedLists } from './migrations/190-limited-lists.ts';
import { addLimitRoutes } from './routes.ts';
import './tables.ts';

/** Staff who see certain customers only. */
export const limitsArea: Area = {
  name: 'limits',
  migrations: { '140-limits': limits, '156-sight': sight, '190-limited-lists': limitedLists },
  routes: [addLimitRoutes],
};
