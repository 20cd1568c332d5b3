import type { Area } from '../area.ts';
import { deleteOldSignUps } from './day.ts';
import { signUps } from './migrations/182-sign-ups.ts';
import { addSignUpPage } from './page-routes.ts';
import { addSignUpRoutes, addStarterTaskRoutes } from './routes.ts';
import './tables.ts';

/** Companies that ask to become resellers, and the first steps of those that did. */
export const signUpArea: Area = {
  name: 'sign-up',
  migrations: { '182-sign-ups': signUps },
  openRoutes: [addSignUpRoutes, addSignUpPage],
  routes: [addStarterTaskRoutes],
  day: deleteOldSignUps,
};
