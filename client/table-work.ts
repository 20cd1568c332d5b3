/**
 * What a table needs once rows are chosen or a view is named. For the app's name here, and that of the nodes around, see
 * `signed-in.ts`.
 */
export { start } from './app.tsx';
export { BulkBar } from './nodes/bulk/bulk-bar.tsx';
export { SaveView } from './nodes/list-tools/save-view.tsx';
export { more } from './nodes/signed-in-nodes.ts';
