import type { Area } from '../area.ts';
import { seededJobs } from './migrations/022-seeded-jobs.ts';
import { createJobsTick } from './tick.ts';
import './tables.ts';

/** The area of jobs, which carry out orders. */
export const jobsArea: Area = {
  name: 'jobs',
  migrations: { '022-seeded-jobs': seededJobs },
  tick: createJobsTick,
};
