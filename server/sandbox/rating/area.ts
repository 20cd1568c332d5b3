import type { Area } from '../area.ts';
import { ratings } from './migrations/195-ratings.ts';
import { addRatingsPage } from './page.ts';
import { addRatingRoutes } from './routes.ts';
import { insertRatingFeatures } from './seed.ts';
import './tables.ts';

/** What people think of the features that they use (document 2, sections 2 and 7: Rating). */
export const ratingArea: Area = {
  name: 'rating',
  migrations: { '195-ratings': ratings },
  seed: [{ name: 'rating features', insert: insertRatingFeatures }],
  routes: [addRatingRoutes],
  openRoutes: [addRatingsPage],
};
