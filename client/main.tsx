import type { Page } from '../shared/contract/boot.ts';
import { start } from './app.tsx';
import type { more } from './nodes/more.ts';
import type { rare } from './nodes/rare.ts';
import { lazyNode } from './runtime/registry.ts';

const nodesToLoad = [
  'badge',
  'card',
  'columns',
  'delivered',
  'divider',
  'facts',
  'filter',
  'html',
  'list',
  'menu',
  'repeat',
  'search',
  'section',
  'status',
  'table',
  'tabs',
  'timeline',
  'toolbar',
] satisfies (keyof typeof more)[];

const loadRest = () => import('./signed-in.ts');
const rareNodes = ['qr-code', 'task'] satisfies (keyof typeof rare)[];
const page = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Page;

const isSignedIn = page.boot.principal.type !== 'public';

if (!isSignedIn) {
  for (const type of nodesToLoad) lazyNode(type, async () => (await loadRest()).more[type] as never);
}
for (const type of rareNodes) lazyNode(type, async () => (await import('./rare.ts')).rare[type] as never);
// Drawn once, whole: a list that came a moment later would push the page about.
const Header = isSignedIn ? (await loadRest()).Header : undefined;
const host = start(page, { Header, loadSources: () => import('./fresh.ts') });

if (isSignedIn) {
  // Hints of the server can wait for the first paint; a frame would never come in a tab that is not looked at.
  setTimeout(async () => {
    (await import('./fresh.ts')).keepFocus();
    (await import('./runtime/socket.ts')).listenToServer(host);
  }, 50);
}
