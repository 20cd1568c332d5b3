/** Nodes that a page loads with the first of them that it meets. For the app's name here see `signed-in.ts`. */
import { lazyLoadDrawing } from './nodes/chart/chart.tsx';
import { fetchModule } from './runtime/state/lazy-component.tsx';

export { start } from './app.tsx';
export { rareNode } from './nodes/lazy-nodes.ts';

lazyLoadDrawing(() => fetchModule(() => import('./chart.ts')));
