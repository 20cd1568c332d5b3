import type { Area } from '../area.ts';
import { forgetKeys } from './idempotency.ts';
import './tables.ts';

/** The keys of requests that must not be carried out twice. */
export const httpArea: Area = {
  name: 'http',
  start: (db, { now }) => forgetKeys(db, now),
};
