/** What Ctrl+K opens. For the app's name here see `signed-in.ts`. */
export { start } from './app.tsx';
export { openPalette } from './shell/palette.tsx';
