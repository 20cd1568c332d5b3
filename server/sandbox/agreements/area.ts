import type { Area, SeedPart } from '../area.ts';
import { resellers } from '../seed/accounts.ts';
import { agreements } from './migrations/014-agreements.ts';
import { addAgreementRoutes } from './routes.ts';
import { insertAgreements, insertSignatures } from './seed.ts';
import { forgetImages } from './sign.ts';
import './tables.ts';

/** Agreements and who signed them. */
export const agreementsArea: Area = {
  name: 'agreements',
  migrations: { '014-agreements': agreements },
  seed: resellers.map(({ id }): SeedPart => ({ name: `signatures ${id}`, insert: trx => insertSignatures(trx, id) })),
  refresh: insertAgreements,
  routes: [addAgreementRoutes],
  start: (db, { now }) => forgetImages(db, now),
};
