import type { Area } from '../area.ts';
import { companies } from './migrations/170-companies.ts';
import { addCompanyRoutes } from './routes.ts';
import { insertCompanies } from './seed.ts';
import './tables.ts';

/** Facts that a company gives about itself. */
export const myBusinessArea: Area = {
  name: 'my-business',
  migrations: { '170-companies': companies },
  seed: [{ name: 'companies', insert: insertCompanies }],
  routes: [addCompanyRoutes],
};
