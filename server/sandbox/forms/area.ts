import type { Area } from '../area.ts';
import { addFormRoutes } from './form-routes.ts';
import { forms } from './migrations/005-forms.ts';
import { addPopupRoutes } from './popup-routes.ts';
import './tables.ts';

/** Dynamic forms and generic popups. */
export const formsArea: Area = {
  name: 'forms',
  migrations: { '005-forms': forms },
  routes: [addFormRoutes, addPopupRoutes],
};
