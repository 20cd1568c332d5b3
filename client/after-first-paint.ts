/**
 * What keeps data fresh, and what the header opens; it comes after the first paint. For the app's name here see
 * `signed-in.ts`.
 */
export { start } from './app.tsx';
export { MenuPanel } from './look/menu-panel.tsx';
export { Panel } from './nodes/bell/panel.tsx';
export * from './runtime/page/late-page.ts';
export { Drawer } from './shell/drawer.tsx';
