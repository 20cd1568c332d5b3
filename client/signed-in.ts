/**
 * What a page needs once somebody is signed in: header, lists and menus. The sign-in page does without, and a public page
 * loads it with the first node that needs it.
 *
 * The app is named here so that all that is shared stands in one file: cut in pieces it would be 3 kB heavier.
 */
import { lazyLoadMenu } from './look/menu-button.tsx';
import { addPrintStyles } from './look/print-styles.ts';
import { lazyLoadPanel } from './nodes/bell/bell.tsx';
import './nodes/header-nodes.ts';
import { lazyLoadListTools, lazyLoadTableWork } from './nodes/table/lazy-work.ts';
import { fetchModule } from './runtime/state/lazy-component.tsx';
import { lazyLoadDrawer } from './shell/header.tsx';

export { start } from './app.tsx';
export { more } from './nodes/signed-in-nodes.ts';
export { listenForKeys } from './runtime/page/shortcut.ts';
export { signedInParts } from './shell/signed-in-parts.ts';

const loadFresh = () => import('./after-first-paint.ts');
lazyLoadMenu(loadFresh);
lazyLoadPanel(loadFresh);
lazyLoadListTools(async () => {
  // The rows are drawn first.
  await new Promise(resolve => setTimeout(resolve));
  return fetchModule(() => import('./list-tools.ts'));
});
lazyLoadTableWork(() => fetchModule(() => import('./table-work.ts')));
lazyLoadDrawer(loadFresh);
addPrintStyles();
