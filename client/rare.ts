/** Nodes that a page loads with the first of them that it meets. For the app's name here see `signed-in.ts`. */
import { bringDrawing } from './nodes/chart.tsx';

export { start } from './app.tsx';
export { rareNode } from './nodes/rare.ts';

bringDrawing(() => import('./chart.ts'));
