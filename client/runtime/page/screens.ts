import { navigate as setAddress } from 'wouter/use-browser-location';
import type { ScreenReply } from '../../../shared/contract/boot.ts';
import type { Layout } from '../../../shared/language/types.ts';
import { matchRoute, routeScope } from '../../../shared/rules/route.ts';
import type { Layouts } from '../data/layouts.ts';
import { cacheInitialReplies } from '../data/prefetched-replies.ts';
import type { Server } from '../data/server.ts';
import { toast } from '../effects/toasts.tsx';
import { mayLeave } from '../effects/unsaved-changes.ts';
import { createDocument, replaceLayout } from '../state/document.ts';
import type { Failure } from '../state/failure.ts';
import { checkLanguage, NewerLayout } from '../state/newer-layout.ts';
import { closePopups, type Host, type OpenScreen, type Portal, speechFor } from '../state/portal.ts';

/** A prefetched screen is good for this long, in milliseconds. */
const freshness = 5000;

type Opened = Exclude<ScreenReply, { redirect: string }>;
export type Screens = Pick<Host, 'navigate' | 'back' | 'prefetch' | 'setRoute'> & {
  /** Shows the screen that came with the page. */
  start(reply: ScreenReply): void;
  /** Follows the address after Back, Forward or a push of someone else's. */
  follow(): void;
  /** What is being read along with the screen that is opening. */
  arriving(): Promise<unknown> | undefined;
  /** What was read ahead may be stale: something was written. */
  forget(): void;
  /** The screen shown is gone: opens its address anew. */
  reopen(): Promise<void>;
  /** Runs while something takes its time. */
  wait<T>(work: Promise<T>): Promise<T>;
  /** Pathname and query of the screen shown. */
  address(): string;
};

/** A way to a screen: what to show, how one gets there, whether it takes the place of this one in the history. */
type Visit = {
  readonly address: string;
  readonly by: 'push' | 'back';
  readonly replace?: boolean;
  readonly anchor?: string;
};

type HistoryState = { readonly index?: number } | null;
const indexNow = (): number => (history.state as HistoryState)?.index ?? 0;
const addressNow = (): string => location.pathname + location.search;

function split(address: string): [pathname: string, query: string] {
  const mark = address.indexOf('?');
  return mark < 0 ? [address, ''] : [address.slice(0, mark), address.slice(mark + 1)];
}

/**
 * Creates the navigation between screens: the old screen stays until the new one is ready, and the address changes with
 * it.
 */
export function createScreens(portal: Portal, server: Server, layouts: Layouts): Screens {
  const loads = new Map<string, Promise<ScreenReply>>();
  const scrolls = new Map<number, number>();
  let shown = '';
  let index = 0;
  /** Index of the history entry at which the screen was opened; further entries of it are other queries. */
  let opened = 0;
  let isRewinding = false;
  let visits = 0;
  let waits = 0;
  let arriving: Promise<unknown> | undefined;

  async function wait<T>(work: Promise<T>): Promise<T> {
    waits += 1;
    portal.waiting.set(true);
    try {
      return await work;
    } finally {
      waits -= 1;
      portal.waiting.set(waits > 0);
    }
  }

  function routeOf(pathname: string) {
    const { routes } = portal.boot.get();
    const match = matchRoute(
      routes.map(([pattern]) => pattern),
      pathname,
    );
    const hash = routes.find(([pattern]) => pattern === match?.pattern)?.[2];
    return { match, hash };
  }

  /** One request per screen, shared by pointing at a link and following it. */
  function load(address: string): Promise<ScreenReply> {
    const before = loads.get(address);
    if (before) return before;
    const [pathname, query] = split(address);
    const { hash } = routeOf(pathname);
    const reply = server.screen(address, layouts.get(hash) && hash).then(async arrived => {
      if ('redirect' in arrived) return arrived;
      if (arrived.layout) layouts.add(arrived.hash, checkLanguage(arrived.layout));
      seed(await layouts.load(arrived.hash), arrived, query);
      return arrived;
    });
    loads.set(address, reply);
    const forget = () => loads.get(address) === reply && loads.delete(address);
    reply.then(() => setTimeout(forget, freshness), forget);
    return reply;
  }

  function seed(layout: Layout, { route, data }: Opened, query: string): void {
    const { principal } = portal.boot.get();
    cacheInitialReplies(layout, { route: routeScope(route, query), principal, state: layout.state }, data);
  }

  function show(address: string, reply: Opened, layout: Layout, by: OpenScreen['by']): void {
    const [pathname, query] = split(address);
    shown = address;
    index = indexNow();
    opened = index;
    closePopups(portal);
    portal.route.set(routeScope(reply.route, query));
    portal.screen.set({
      document: createDocument(reply.hash, layout, reply.data),
      pathname,
      parameters: reply.route,
      by,
      scroll: by === 'back' ? (scrolls.get(index) ?? 0) : 0,
    });
  }

  /** Goes back to the first entry of the screen, since what replaces a screen replaces all of its entries. */
  async function rewind({ replace, by }: Visit): Promise<void> {
    if (!replace || by === 'back' || index <= opened) return;
    isRewinding = true;
    const arrived = new Promise(resolve => addEventListener('popstate', resolve, { once: true, capture: true }));
    history.go(opened - index);
    await arrived;
    isRewinding = false;
  }

  /** The address changes in the moment that the screen does. */
  function commit({ address, by, replace = false, anchor = '' }: Visit): void {
    scrolls.set(index, window.scrollY);
    if (by === 'push') setAddress(address + anchor, { replace, state: { index: indexNow() + (replace ? 0 : 1) } });
  }

  async function open(to: Visit): Promise<void> {
    const { address, by } = to;
    visits += 1;
    const visit = visits;
    const { match, hash } = routeOf(split(address)[0]);
    const layout = layouts.get(hash);
    const loading = load(address);
    const isCached = match !== undefined && hash !== undefined && layout !== undefined;
    if (isCached) {
      arriving = loading.catch(() => undefined);
      await rewind(to);
      commit(to);
      show(address, { hash, route: match.parameters, data: {} }, layout, by);
    }
    try {
      const reply = await (isCached ? loading : wait(loading));
      if (visit !== visits) return;
      if ('redirect' in reply)
        return await navigate(reply.redirect, { replace: isCached || by === 'back' || (to.replace ?? false) });
      const loaded = layouts.get(reply.hash) as Layout;
      if (!isCached) {
        await rewind(to);
        commit(to);
        show(address, reply, loaded, by);
      } else if (reply.hash !== hash) {
        const document = portal.screen.get()?.document;
        if (document) replaceLayout(document, reply.hash, loaded);
      }
    } catch (error) {
      if (visit !== visits) return;
      if (error instanceof NewerLayout) portal.outdated.set('needed');
      // A cached screen is up: its data sources read, and fail, by themselves.
      if (!isCached) giveUp(error as Error, to);
    }
  }

  /** The old screen stays, at its own address. */
  function giveUp(error: Error & Partial<Failure>, to: Visit): void {
    if (to.by === 'back') history.go(index - indexNow());
    if (error instanceof NewerLayout) return;
    const text = speechFor(portal).word('retry');
    const { message, reference } = error;
    const action = { text, run: () => void open({ ...to, by: 'push' }) };
    toast(portal, { text: message, kind: 'bad', reference, action });
  }

  const navigate: Host['navigate'] = async (to, options) => {
    const url = new URL(to, location.href);
    if (url.origin !== location.origin) return portal.host.leave(to);
    const address = url.pathname + url.search;
    if (url.pathname === split(shown)[0]) {
      closePopups(portal);
      stay(address, options?.replace ?? false);
      if (url.hash) location.hash = url.hash;
    } else if (await mayLeave(portal)) {
      await open({ address, by: 'push', replace: options?.replace ?? false, anchor: url.hash });
    }
  };

  /** Another query of the same screen: only the sources that read it ask again. */
  function stay(address: string, replace: boolean): void {
    if (address === shown) return;
    shown = address;
    setAddress(address, { replace, state: { index: indexNow() + (replace ? 0 : 1) } });
    index = indexNow();
    portal.route.set(routeScope(portal.screen.get()?.parameters ?? {}, split(address)[1]));
  }

  async function follow(): Promise<void> {
    const address = addressNow();
    if (address === shown || isRewinding) return;
    const isHere = split(address)[0] === split(shown)[0];
    const closing = isHere ? portal.popups.get().map(popup => popup.document) : undefined;
    if (!(await mayLeave(portal, closing))) return history.go(index - indexNow());
    if (!isHere) return open({ address, by: 'back' });
    closePopups(portal);
    shown = address;
    index = indexNow();
    portal.route.set(routeScope(portal.screen.get()?.parameters ?? {}, split(address)[1]));
  }

  return {
    navigate,
    async back(to) {
      // A page that was loaded anew counts from nought; the browser knows what is behind it on this site.
      if (index > 0 || globalThis.navigation?.canGoBack) history.back();
      else await navigate(to);
    },
    prefetch(to) {
      const [pathname] = split(to);
      if (pathname !== split(shown)[0] && routeOf(pathname).hash) load(to).catch(() => undefined);
    },
    setRoute(changes, options) {
      const [pathname, query] = split(shown);
      const parameters = new URLSearchParams(query);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) parameters.delete(name);
        else parameters.set(name, value);
      }
      const next = parameters.toString();
      stay(next === '' ? pathname : `${pathname}?${next}`, options?.replace ?? false);
    },
    start(reply) {
      shown = addressNow();
      index = indexNow();
      if ('redirect' in reply) return void open({ address: reply.redirect, by: 'push', replace: true });
      if (reply.layout) layouts.add(reply.hash, reply.layout);
      const layout = layouts.get(reply.hash) as Layout;
      seed(layout, reply, location.search);
      show(shown, reply, layout, 'start');
    },
    follow: () => void follow(),
    arriving: () => arriving,
    forget: () => loads.clear(),
    reopen: () => open({ address: shown, by: 'push', replace: true }),
    wait,
    address: () => shown,
  };
}
