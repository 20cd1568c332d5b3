import type { Area } from '../area.ts';
import { createEndings } from './endings.ts';
import { ipAccessTables } from './migrations/160-ip-access.ts';
import { addIpAccessRoutes } from './routes.ts';
import { insertUses } from './seed.ts';
import './tables.ts';
import { forgetUses } from './uses.ts';

/** From which addresses people of a reseller may come. */
export const ipAccessArea: Area = {
  name: 'ip-access',
  migrations: { '160-ip-access': ipAccessTables },
  seed: [{ name: 'addresses of people', insert: (trx, { now }) => insertUses(trx, now) }],
  start: (db, { now }) => forgetUses(db, now),
  routes: [addIpAccessRoutes],
  day: (trx, { start }) => forgetUses(trx, start),
  tick: createEndings,
};
