import { createRoot } from 'react-dom/client';
import type { Boot, PrincipalFacts } from '../shared/contract/boot.ts';
import type { Envelope } from '../shared/contract/envelope.ts';
import type { LayoutText, PopupLayout, ScreenLayout } from '../shared/language/types.ts';
import { formatValue } from '../shared/rules/format.ts';
import { defaultLocale } from '../shared/rules/text.ts';
import './nodes/index.ts';
import { createEmbedHost, type EmbeddedCall } from './runtime/page/embed-host.ts';
import { drawEmbedded } from './runtime/page/embed-view.tsx';

export type { EmbeddedCall } from './runtime/page/embed-host.ts';

export type MountOptions = {
  readonly layout: ScreenLayout | PopupLayout;
  /** What `open-popup` of the layout may open, by id; their data sources read the same replies. */
  readonly popups?: Readonly<Record<string, PopupLayout>>;
  /** Replies by the name of the data source. */
  readonly data?: Readonly<Record<string, Envelope>>;
  /** The runtime's own words, by key; the texts of a layout travel inside it. */
  readonly text?: Readonly<Record<string, LayoutText>>;
  /** The facts that the layout may show; a nameless caller, the default locale and GBP where left out. */
  readonly principal?: Partial<PrincipalFacts>;
  /** Does what a call or command of the layout asks for, and gives its reply. */
  readonly onCall?: (call: EmbeddedCall) => Promise<Envelope>;
};

const nobody: PrincipalFacts = {
  type: 'public',
  name: '',
  email: '',
  userId: '',
  identity: '',
  organisationId: '',
  organisationName: '',
  currency: 'GBP',
  locale: defaultLocale,
};

// The first format of numbers takes a browser 10 ms and more: made while the page still waits for its data.
formatValue(0, 'currency', nobody);

/**
 * Draws a layout in an element of any page, without a portal behind it: the address is kept in memory, data is given
 * once, and calls go to `onCall`. Gives the function that removes the layout again.
 */
export function mountLayout(element: Element, options: MountOptions): () => void {
  const { layout, popups = {}, data = {}, text = {}, principal, onCall } = options;
  const boot: Boot = {
    hash: '',
    runtime: '',
    principal: { ...nobody, ...principal },
    routes: [],
    popups: {},
    landing: '/',
    words: text,
  };
  const { portal, document } = createEmbedHost(boot, layout, popups, data, onCall);
  const root = createRoot(element);
  root.render(drawEmbedded(portal, document));
  return () => root.unmount();
}
