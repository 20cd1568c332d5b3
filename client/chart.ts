/** What draws charts: loads with the first of them. For the app's name here see `signed-in.ts`. */
export { start } from './app.tsx';
export { Drawing } from './nodes/chart/drawing.tsx';
