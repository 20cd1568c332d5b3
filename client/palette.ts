/** What Ctrl+K and single letters do. For the app's name here see `signed-in.ts`. */
export { start } from './app.tsx';
export { openPalette, pressLetter } from './shell/palette.tsx';
