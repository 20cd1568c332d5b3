import type { Boot, Page } from '../../../shared/contract/boot.ts';
import { createLayouts, popupsOf } from '../data/layouts.ts';
import { cacheInitialReplies, forgetPrefetched, takePrefetched } from '../data/prefetched-replies.ts';
import { createServerClient } from '../data/server.ts';
import { toast } from '../effects/toasts.tsx';
import { losesOnLeave } from '../effects/unsaved-changes.ts';
import { keepForms, loadKeptForms, restorePopups } from '../forms/kept-forms.ts';
import { createDocument } from '../state/document.ts';
import type { Failure } from '../state/failure.ts';
import { lazyComponent } from '../state/lazy-component.tsx';
import { NewerLayout } from '../state/newer-layout.ts';
import {
  closePopup,
  createPortal,
  type Outgoing,
  type Portal,
  publish,
  showNavigation,
  showPopup,
  speechFor,
} from '../state/portal.ts';
import type { Answer } from '../state/post-call.ts';
import { createScreens, type Screens } from './screens.ts';

export type PageHost = {
  readonly portal: Portal;
  readonly screens: Screens;
  /** True while leaving would lose what was typed. */
  isUnsaved(): boolean;
  /** Tells the sources that listen to an event. */
  hear(event: string): void;
};

/** Loads what may come after the first paint, which shows what came with the page. */
export type LoadLatePage = () => Promise<typeof import('./late-page.ts')>;

/** How the page leaves for another; tests watch it. */
export type Leave = { assign(to: string): void; reload(): void };

/**
 * Creates what runs a whole page: gives its portal, its screens (by address, with data over HTTP), `isUnsaved` and
 * `hear`. `loadLatePage` loads what keeps data fresh; `leave` goes to another page.
 */
export function createPageHost(page: Page, loadLatePage: LoadLatePage, leave: Leave = location): PageHost {
  let isLeaving = false;
  let booting = Promise.resolve();
  let sending: Promise<unknown> | undefined;
  let late: Awaited<ReturnType<LoadLatePage>> | undefined;
  const load = async () => {
    late ??= await loadLatePage();
    return late;
  };
  const go = (to: string) => {
    isLeaving = true;
    leave.assign(to);
  };

  const server = createServerClient(
    (...said) => speechFor(portal).word(...said),
    status => {
      if (status === 401) portal.host.sessionEnded();
      else if (status === 412) portal.host.reload();
      else void portal.host.readBoot();
    },
    page.boot.principal.identity,
  );
  const layouts = createLayouts(server);
  let asked: Promise<Boot['popups']> | undefined;
  /** Reads the popups of the caller, which a page leaves out: once, until a newer boot names them. */
  const readPopups = async (): Promise<Boot['popups']> => {
    const { popups } = portal.boot.get();
    if (popups) return popups;
    asked ??= server.popups();
    try {
      return await asked;
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };
  /** Nothing that is done before one has signed in needs to be known again. */
  async function deliver(request: Outgoing): Promise<Answer> {
    const send = (key: string) => server.send(request, key);
    if (page.boot.principal.type === 'public') return send(crypto.randomUUID());
    const loaded = late ?? (await load().catch(() => undefined));
    return loaded ? loaded.sendPress(portal, request, send) : send(crypto.randomUUID());
  }
  const portal: Portal = createPortal(
    page.boot,
    () => ({
      async read(address) {
        await screens.arriving();
        return takePrefetched(address) ?? server.read(address);
      },
      async send(request) {
        screens.forget();
        forgetPrefetched();
        const answer = deliver(request);
        // Until what the reply says has begun.
        sending = answer.then(() => new Promise(resolve => setTimeout(resolve)));
        return answer;
      },
      navigate: (to, options) => screens.navigate(to, options),
      back: to => screens.back(to),
      prefetch: to => screens.prefetch(to),
      setRoute: (changes, options) => screens.setRoute(changes, options),
      async openPopup(id, parameters) {
        try {
          const { popups = await screens.wait(readPopups()) } = portal.boot.get();
          const hash = popups[id];
          if (hash === undefined) return;
          const layout = layouts.get(hash) ?? (await screens.wait(layouts.load(hash)));
          showPopup(portal, id, createDocument(hash, layout, {}, parameters));
        } catch (error) {
          if (error instanceof NewerLayout) portal.outdated.set('needed');
          else
            toast(portal, { text: (error as Failure).message, kind: 'bad', reference: (error as Failure).reference });
        }
      },
      closePopup: key => closePopup(portal, key),
      async sessionEnded() {
        // What is being sent may itself have ended the session, and its reply says where to go.
        await sending;
        if (isLeaving || portal.boot.get().principal.type === 'public') return;
        keepForms(portal);
        go(`/login?return=${encodeURIComponent(screens.address())}&notice=session-ended`);
      },
      sessionChanged: go,
      async signOut() {
        loadKeptForms();
        isLeaving = true;
        go((await server.signOut().catch(() => undefined)) ?? '/login');
      },
      readBoot() {
        // What changes while it is read is read after it.
        booting = booting
          .then(() => server.boot())
          .then(async next => (await load()).applyBoot(portal, next, layouts, screens))
          .catch(() => undefined);
        return booting;
      },
      refreshOperations: operations => void load().then(module => module.refreshOperations(operations)),
      download: async (document, ...asked) =>
        (await import('../data/files.ts')).download(document.layout.get().hash, ...asked, server.file),
      reload() {
        if (isLeaving) return;
        isLeaving = true;
        keepForms(portal);
        leave.reload();
      },
      leave: go,
    }),
    {
      Sources: lazyComponent(async () => {
        // The page is drawn first.
        await new Promise(resolve => setTimeout(resolve));
        return (await load()).Sources;
      }),
      UnknownActions: lazyComponent(async () => (await load()).UnknownActions),
      TicketLink: lazyComponent(async () => (await load()).TicketLink),
    },
  );
  const screens = createScreens(portal, server, layouts);

  // Code that the page needs is gone (`start.ts`).
  addEventListener('portal-reload', () => {
    isLeaving = true;
    keepForms(portal);
  });
  const { principal } = page.boot;
  if (principal.type !== 'public') loadKeptForms(principal.identity);
  const { navigation } = page.boot;
  showNavigation(portal, page.boot, page.notices);
  if (navigation) cacheInitialReplies(navigation, { principal, state: navigation.state }, page.notices);
  screens.start(page.screen);
  void restorePopups(portal);
  whenIdle(portal, () => {
    const ids = popupsOf(portal.screen.get()?.document.layout.get().layout);
    if (ids.size === 0) return;
    readPopups()
      .then(popups => Promise.all([...ids].flatMap(id => (popups[id] ? [layouts.load(popups[id])] : []))))
      // Whoever opens one asks again.
      .catch(() => undefined);
  });
  return {
    portal,
    screens,
    isUnsaved: () => !isLeaving && losesOnLeave(portal),
    hear: event => publish(portal, event),
  };
}

/** Runs in a quiet moment after every new screen. */
function whenIdle(portal: Portal, work: () => void): void {
  const later = () => (window.requestIdleCallback ? window.requestIdleCallback(work) : setTimeout(work, 500));
  portal.screen.subscribe(later);
  later();
}
