/**
 * The nodes of a few screens that one seldom sees; they come when first met. The app is named here for the reason that
 * `signed-in.ts` gives.
 */
export { start } from './app.tsx';
export { rare } from './nodes/rare.ts';
