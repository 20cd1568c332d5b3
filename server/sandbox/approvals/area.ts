import type { Area } from '../area.ts';
import { addDemandRoutes } from './demand-routes.ts';
import { createExpiry, forgetDecided } from './expire.ts';
import { approvalTables } from './migrations/150-approvals.ts';
import { addApprovalRoutes } from './routes.ts';
import './tables.ts';

/** Acts that wait for the approval of a second person, and the kinds for which resellers demand one. */
export const approvalsArea: Area = {
  name: 'approvals',
  migrations: { '150-approvals': approvalTables },
  start: (db, { now }) => forgetDecided(db, now),
  routes: [addApprovalRoutes, addDemandRoutes],
  tick: createExpiry,
};
