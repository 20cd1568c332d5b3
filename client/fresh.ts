/** What keeps data fresh; it comes after the first paint. For the app's name here see `signed-in.ts`. */
export { start } from './app.tsx';
export { refreshOperations, Sources } from './runtime/sources.tsx';
