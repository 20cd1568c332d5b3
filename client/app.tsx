import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Page } from '../shared/contract/boot.ts';
import './nodes/sign-in-nodes.ts';
import { Address } from './runtime/page/address.tsx';
import { Hosts } from './runtime/page/hosts.tsx';
import { createPageHost, type Leave, type LoadLatePage, type PageHost } from './runtime/page/page-host.ts';
import { PortalProvider } from './runtime/state/portal-provider.tsx';
import { Shell } from './shell/shell.tsx';
import type { SignedInParts } from './shell/signed-in-parts.ts';

/** What comes in files of its own: what those have who are signed in, and what keeps data fresh. */
export type LazyParts = { readonly parts?: SignedInParts | undefined; readonly loadLatePage: LoadLatePage };

type Opened = PageHost & {
  /** Takes everything off the page. */
  close(): void;
};

/**
 * Starts the runtime in a page that the server has sent: creates the portal and renders it in `#root`. `leave` goes to
 * another page.
 */
export function start(page: Page, { parts, loadLatePage }: LazyParts, leave?: Leave): Opened {
  const host = createPageHost(page, loadLatePage, leave);
  const root = createRoot(document.getElementById('root') ?? document.body);
  // In one go, so that nothing that can wait for it is asked for before.
  flushSync(() =>
    root.render(
      <PortalProvider value={host.portal}>
        <Address screens={host.screens} isUnsaved={host.isUnsaved} />
        <Shell parts={parts} />
        <Hosts />
      </PortalProvider>,
    ),
  );
  return { ...host, close: () => root.unmount() };
}
