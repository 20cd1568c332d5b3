import '../../dom.ts';
import '../../../client/nodes/index.ts';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Bell } from '../../../client/nodes/bell/bell.tsx';
import { Chart } from '../../../client/nodes/chart/chart.tsx';
import { List } from '../../../client/nodes/list.tsx';
import { Menu } from '../../../client/nodes/menu.tsx';
import { Toasts } from '../../../client/runtime/effects/toasts.tsx';
import { register } from '../../../client/runtime/page/registry.ts';
import { createDocument } from '../../../client/runtime/state/document.ts';
import { createPortal, type Host, type Outgoing, type Portal } from '../../../client/runtime/state/portal.ts';
import { PortalProvider } from '../../../client/runtime/state/portal-provider.tsx';
import type { Answer } from '../../../client/runtime/state/post-call.ts';
import { Drawer } from '../../../client/shell/drawer.tsx';
import { lazyLoadDrawer } from '../../../client/shell/header.tsx';
import { Shell } from '../../../client/shell/shell.tsx';
import { signedInParts } from '../../../client/shell/signed-in-parts.ts';
import type { Boot } from '../../../shared/contract/boot.ts';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { NavigationLayout, Node, ScreenLayout } from '../../../shared/language/types.ts';

// JSDOM's style sheet hides popovers, and it has no way to show one.
HTMLElement.prototype.showPopover = function showPopover() {
  this.style.display = 'block';
};

// Those that load when first met are there from the start, so that a test need not wait for them.
register('bell', Bell);
register('chart', Chart);
register('list', List);
register('menu', Menu);
lazyLoadDrawer(async () => ({ Drawer }));

export const words: Boot['words'] = {
  retry: 'Try again',
  yes: 'Yes',
  no: 'No',
  'list.more': { one: 'Show {{count}} more', other: 'Show {{count}} more' },
  'list.less': 'Show fewer',
  'link.newTab': '(opens in a new tab)',
  'chart.gaps': 'No figures: {{points}}',
  'progress.running': 'Under way',
  'progress.share': '{{done}} of {{all}}',
  'guide.done': 'Done',
  'guide.open': 'To do',
  'guide.progress': { one: '{{done}} of {{count}} step done', other: '{{done}} of {{count}} steps done' },
  'guide.all': 'All steps done',
  'stat.better': '(better)',
  'stat.down': 'Down {{change}}',
  'stat.downShare': 'Down {{change}} (−{{percent}}%)',
  'stat.same': 'No change',
  'stat.up': 'Up {{change}}',
  'stat.upShare': 'Up {{change}} (+{{percent}}%)',
  'stat.worse': '(worse)',
  'shell.skip': 'Skip to content',
  'shell.menu': 'Menu',
  'shell.more': 'More',
  'shell.crumbs': 'Breadcrumb',
  'popup.close': 'Close',
  'theme.label': 'Theme',
  'theme.light': 'Light',
  'theme.dark': 'Dark',
  'theme.system': 'As the device',
  'toast.dismiss': 'Dismiss',
  'palette.title': 'Search or jump to',
  'palette.none': 'Nothing matches',
};

type Options = {
  readonly path?: string;
  /** Parameters in the query of the address. */
  readonly route?: Readonly<Record<string, string>>;
  readonly screen?: Partial<ScreenLayout>;
  readonly data?: Readonly<Record<string, Envelope>>;
  readonly navigation?: Partial<NavigationLayout>;
  readonly navigationData?: Readonly<Record<string, Envelope>>;
  readonly principal?: Partial<Boot['principal']>;
  /** What calls are answered, in order; without one a call is never answered. */
  readonly answers?: Answer[];
};

export type OpenPage = {
  readonly portal: Portal;
  readonly user: ReturnType<typeof userEvent.setup>;
  /** Every request that was sent. */
  readonly sent: Outgoing[];
  /** Every address that was gone to. */
  readonly visited: string[];
  readonly container: HTMLElement;
};

/** Opens a page of a portal whose cloud is a list of answers. */
export function openPage({
  path = '/here',
  route = {},
  screen,
  data,
  navigation,
  navigationData,
  principal,
  answers = [],
}: Options): OpenPage {
  const sent: Outgoing[] = [];
  const visited: string[] = [];
  const boot: Boot = {
    hash: 'h1',
    runtime: 'test',
    principal: {
      type: 'reseller',
      name: 'Priya Raman',
      email: 'priya@fernhill.test',
      userId: 'u1',
      identity: 'u1',
      organisationId: 'o1',
      organisationName: 'Fernhill',
      currency: 'GBP',
      locale: 'en-GB',
      ...principal,
    },
    routes: [],
    popups: {},
    landing: '/dashboard',
    words,
  };
  const host: Partial<Host> = {
    navigate: async to => {
      visited.push(to);
    },
    back: async to => {
      visited.push(`back:${to}`);
    },
    prefetch: () => {},
    setRoute: () => {},
    signOut: async () => {
      visited.push('signed out');
    },
    send: request => {
      sent.push(request);
      const answer = answers.shift();
      return answer ? Promise.resolve(answer) : new Promise(() => {});
    },
  };
  const portal = createPortal(boot, () => host as Host);
  portal.route.set(route);
  const layout: ScreenLayout = { kind: 'screen', id: 'here', route: path, title: 'Here', children: [], ...screen };
  const document = createDocument('hash', layout, data);
  portal.screen.set({ document, pathname: path, parameters: {}, by: 'start', scroll: 0 });
  if (navigation) {
    const whole: NavigationLayout = { kind: 'navigation', id: 'navigation', landing: [], ...navigation };
    portal.navigation.set(createDocument('navigation', whole, navigationData));
  }
  const { container } = render(
    <PortalProvider value={portal}>
      <Shell parts={signedInParts} />
      <Toasts />
    </PortalProvider>,
  );
  return { portal, user: userEvent.setup(), sent, visited, container };
}

/** A page with these nodes and this data, as `data.it.Result`. */
export function openNodes(children: readonly Node[], result?: unknown, more: Options = {}): OpenPage {
  return openPage({ data: { it: { Succeed: true, Result: result } }, ...more, screen: { ...more.screen, children } });
}
