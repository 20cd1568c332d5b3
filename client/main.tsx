import type { Page } from '../shared/contract/boot.ts';
import { start } from './app.tsx';
import { lazyLoadNotices } from './runtime/effects/lazy-notices.tsx';
import { toast } from './runtime/effects/toasts.tsx';
import { lazyLoadNodes } from './runtime/page/registry.ts';
import { fetchModule } from './runtime/state/lazy-component.tsx';

const loadRest = () => fetchModule(() => import('./signed-in.ts'));
const loadOver = () => import('./notices.ts');
const page = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Page;

const isSignedIn = page.boot.principal.type !== 'public';

lazyLoadNotices(loadOver);
lazyLoadNodes(async type => {
  const { more } = await loadRest();
  return more[type as keyof typeof more] ?? (await fetchModule(() => import('./lazy-nodes.ts'))).rareNode(type);
});
// Drawn once, whole: a list that came a moment later would push the page about.
const rest = isSignedIn ? await loadRest() : undefined;
const host = start(page, { parts: rest?.signedInParts, loadLatePage: () => import('./after-first-paint.ts') });

// A key that is pressed as soon as the page is seen is not lost.
rest?.listenForKeys(host.portal, () => fetchModule(() => import('./palette.ts')));

// All can wait for the first paint; a frame would never come in a tab that is not looked at.
setTimeout(async () => {
  const { keepFocus, onFirstPress } = await import('./runtime/page/focus-keeper.ts');
  keepFocus();
  // Before somebody does something nothing comes over the page.
  if (!isSignedIn) return onFirstPress(loadOver);
  // Once the network is gone it could not be fetched, and a toast may have to say so.
  void loadOver();
  (await import('./runtime/page/socket.ts')).listenToServer(host, text => toast(host.portal, { text, kind: 'bad' }));
}, 50);
