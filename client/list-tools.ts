/**
 * What a toolbar has for the table below it; it comes after the first rows. For the app's name here, and that of the
 * nodes around, see `signed-in.ts`.
 */
export { start } from './app.tsx';
export { FilterSearch } from './nodes/list-tools/filter-search.tsx';
export { ClearFilters, DisplayBelow, TableTools } from './nodes/list-tools/tools.tsx';
export { more } from './nodes/signed-in-nodes.ts';
