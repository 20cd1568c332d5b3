import { type ComponentType, createContext, useContext } from 'react';
import type { Page, PageBoot } from '../../../shared/contract/boot.ts';
import type { Envelope, ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { DocumentErrors } from '../../../shared/contract/realtime.ts';
import type { DataSource, DownloadEffect, PopupLayout } from '../../../shared/language/types.ts';
import { createDocument, type OpenDocument, replaceLayout } from './document.ts';
import { isNewer } from './newer-layout.ts';
import type { Answer, PostCall } from './post-call.ts';
import type { Scope } from './scope.ts';
import { type Speech, speechOf } from './speech.ts';
import { createStore, type Store, useStore } from './store.ts';

/** The screen shown. Its address is where the user is, even while the next screen loads. */
export type OpenScreen = {
  readonly document: OpenDocument;
  readonly pathname: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** How it was reached: decides about focus and scroll. */
  readonly by: 'start' | 'push' | 'back';
  /** Where the page was scrolled to when it was left. */
  readonly scroll: number;
};

export type OpenPopup = { readonly key: number; readonly id: string; readonly document: OpenDocument };

export type Toast = {
  readonly key: number;
  readonly text: string;
  readonly kind: string;
  /** Reference number of a fault about which the user can do nothing. */
  readonly reference?: string | undefined;
  /** A second button: its text, what it does. */
  readonly action?: { readonly text: string; run(): void };
};

/** What `confirm` asks; answered once. */
export type Question = {
  readonly title: string;
  readonly text: string;
  readonly primary: string;
  readonly secondary: string;
  readonly danger: boolean;
  answer(yes: boolean): void;
};

export type Outgoing = {
  readonly kind: 'call' | 'command';
  readonly name: string;
  /** Id of the node that was pressed and hash of its layout. */
  readonly node: string;
  readonly layout: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** True where a password or a code may be in the body. */
  readonly isSecret: boolean;
  /** In place of a post of JSON, where a file is sent. */
  readonly post?: PostCall | undefined;
};

export type NavigateOptions = { readonly replace?: boolean };

/** What a portal can do for the nodes; the page and an embedded layout each bring their own. */
export type Host = {
  /** Reads a data source. Throws Failure. */
  read(address: string): Promise<Envelope>;
  send(request: Outgoing): Promise<Answer>;
  /** Goes to a screen; resolves when it is shown. */
  navigate(to: string, options?: NavigateOptions): Promise<void>;
  back(to: string): Promise<void>;
  /** Loads a screen that the user is likely to open. */
  prefetch(to: string): void;
  /** Changes parameters in the query of the address; undefined removes one. */
  setRoute(changes: Readonly<Record<string, string | undefined>>, options?: NavigateOptions): void;
  openPopup(id: string, parameters: Readonly<Record<string, unknown>>): Promise<void>;
  /** Closes one popup, or the top one. */
  closePopup(key?: number): void;
  /** The session is gone (401): keeps what was typed and goes to sign in. */
  sessionEnded(): void;
  /** The caller has become another: everything loads anew at this address. */
  sessionChanged(to: string): void;
  signOut(): Promise<void>;
  /** Loads the page anew, with the newest code. */
  reload(): void;
  /** Goes to an address as the browser does, with a page of its own. */
  leave(to: string): void;
  /** Rights or layouts have changed: reads the boot again. */
  readBoot(): Promise<void>;
  refreshOperations(operations: readonly string[]): void;
  /** Saves a file of the portal. */
  download(
    document: OpenDocument,
    effect: DownloadEffect,
    given: Readonly<Record<string, unknown>>,
  ): Promise<DownloadOutcome>;
};

/** What a download comes to: what to do besides or in place of a file, or what to say when there is none. */
export type DownloadOutcome =
  | { readonly effects: readonly ReplyEffect[] }
  | { readonly failure: string; readonly reference: string | undefined };

export type SourcesProps = {
  readonly document: OpenDocument;
  readonly sources: Readonly<Record<string, DataSource>>;
  readonly scope: Scope;
};

/**
 * Set once the server has newer browser code than this page runs: `ready`, until the user puts it off (`later`); `needed`
 * for what the user asks for, whose layout this page cannot draw.
 */
export type Outdated = 'ready' | 'needed' | 'later' | undefined;

/** Everything that is on the page, as stores. One per page or embedded layout. */
export type Portal = {
  readonly boot: Store<PageBoot>;
  readonly screen: Store<OpenScreen | undefined>;
  readonly route: Store<Readonly<Record<string, string>>>;
  readonly navigation: Store<OpenDocument | undefined>;
  readonly popups: Store<readonly OpenPopup[]>;
  readonly toasts: Store<readonly Toast[]>;
  readonly question: Store<Question | undefined>;
  /** What to ask before the page is left while work goes on that it would stop; undefined while there is none. */
  readonly underWay: Store<(() => string) | undefined>;
  /** True while something takes long enough to say so. */
  readonly waiting: Store<boolean>;
  readonly outdated: Store<Outdated>;
  /** What is wrong with the documents as they are saved; undefined where the server does not tell it. */
  readonly documentErrors: Store<DocumentErrors | undefined>;
  /** Listeners of published events, by event. */
  readonly listeners: Map<string, Set<() => void>>;
  readonly host: Host;
  /** Reads data sources; absent where data is given once. */
  readonly Sources?: ComponentType<SourcesProps>;
  /** What one can do about a press whose outcome is unknown; absent where there is no server to ask. */
  readonly UnknownActions?: ComponentType<UnknownActionsProps>;
  /** Offers a ticket about a fault; absent where there is no server to ask. */
  readonly TicketLink?: ComponentType<TicketLinkProps>;
};

/** Reference number of the fault that the ticket is about; where no answer came there is none. */
export type TicketLinkProps = { readonly reference: string | undefined };

export type UnknownActionsProps = {
  /** True for what makes something new on a screen: it is seen where the screen is reached from, not on the screen. */
  readonly makes?: boolean | undefined;
  readonly reference?: string | undefined;
  again(): void;
  /** The page shows what is there now. */
  onChecked(): void;
};

/**
 * Creates the portal: its stores, with `boot` as the first boot, and its host. `createHost` is called with the portal
 * and gives the host through which it talks to the server. `late` holds components that this page may lack or load
 * later.
 */
export function createPortal(
  boot: PageBoot,
  createHost: (portal: Portal) => Host,
  late: Pick<Portal, 'Sources' | 'UnknownActions' | 'TicketLink'> = {},
): Portal {
  const portal: Portal = {
    boot: createStore(boot),
    screen: createStore<OpenScreen | undefined>(undefined),
    route: createStore<Readonly<Record<string, string>>>({}),
    navigation: createStore<OpenDocument | undefined>(undefined),
    popups: createStore<readonly OpenPopup[]>([]),
    toasts: createStore<readonly Toast[]>([]),
    question: createStore<Question | undefined>(undefined),
    underWay: createStore<(() => string) | undefined>(undefined),
    waiting: createStore(false),
    outdated: createStore<Outdated>(undefined),
    documentErrors: createStore<DocumentErrors | undefined>(undefined),
    listeners: new Map(),
    host: undefined as unknown as Host,
    ...late,
  };
  return Object.assign(portal, { host: createHost(portal) });
}

/** The portal and how it speaks; one context, since nearly every node needs both. */
export const PortalContext = createContext<{ readonly portal: Portal; readonly speech: Speech } | undefined>(undefined);

function useSurroundings() {
  const surroundings = useContext(PortalContext);
  if (!surroundings) throw new Error('A node stands outside of a portal.');
  return surroundings;
}

/** Hook that gives the portal object with all its stores; the same for as long as the page lives. */
export function usePortalObject(): Portal {
  return useSurroundings().portal;
}

/** Hook that gives texts and formats in the caller's language; the same object until the boot changes. */
export function useSpeech(): Speech {
  return useSurroundings().speech;
}

/**
 * Hook that gives what is on the page now: boot, screen, popups and the navigation's document; draws again when one
 * changes.
 */
export function usePortal(): {
  readonly boot: PageBoot;
  readonly screen: OpenScreen | undefined;
  readonly navigation: OpenDocument | undefined;
  readonly popups: readonly OpenPopup[];
} {
  const portal = usePortalObject();
  return {
    boot: useStore(portal.boot),
    screen: useStore(portal.screen),
    navigation: useStore(portal.navigation),
    popups: useStore(portal.popups),
  };
}

let lastKey = 0;
/** Gives the next unused number, as the key of a popup or toast. */
export function nextKey(): number {
  lastKey += 1;
  return lastKey;
}

/** Tells the page that an event happened: calls every listener of its name. Nothing is passed along. */
export function publish(portal: Portal, event: string): void {
  for (const listener of [...(portal.listeners.get(event) ?? [])]) listener();
}

/** Listens to an event of this page, by the name that `publish` calls; gives the function that ends it. */
export function listen(portal: Portal, event: string, listener: () => void): () => void {
  const listeners = portal.listeners.get(event) ?? new Set();
  portal.listeners.set(event, listeners.add(listener));
  return () => listeners.delete(listener);
}

/**
 * Shows the navigation (menus) of a boot in place of the one before, unless this page is too old to draw it. `data`
 * holds the first replies that came with the page.
 */
export function showNavigation(portal: Portal, { navigation }: PageBoot, data: Page['notices'] = {}): void {
  const shown = portal.navigation.get();
  if (!navigation) portal.navigation.set(undefined);
  else if (isNewer(navigation)) offerReload(portal);
  else if (shown) replaceLayout(shown, navigation.id, navigation);
  else portal.navigation.set(createDocument(navigation.id, navigation, data));
}

/** Offers to load the page anew with newer code, unless the user has put it off. */
export function offerReload({ outdated }: Portal): void {
  if (outdated.get() === undefined) outdated.set('ready');
}

/** Opens a document as a popup above all that is open. `id` is that of the popup's layout. */
export function showPopup(portal: Portal, id: string, document: OpenDocument): void {
  portal.popups.set([...portal.popups.get(), { key: nextKey(), id, document }]);
}

/** Closes the popup with this key; without a key, the top one. */
export function closePopup(portal: Portal, key?: number): void {
  const open = portal.popups.get();
  portal.popups.set(open.filter(popup => popup.key !== (key ?? open.at(-1)?.key)));
}

/** Gives the open documents that may hold forms: the screen and the popups. */
export function openDocuments(portal: Portal): readonly OpenDocument[] {
  const screen = portal.screen.get();
  return [...(screen ? [screen] : []), ...portal.popups.get()].map(({ document }) => document);
}

/** Whether a popup is a dialog over the page, and not a panel beside it. */
export const isDialog = ({ document }: OpenPopup): boolean =>
  (document.layout.get().layout as PopupLayout).size !== 'panel';

/** Closes all popups but panels, which stay beside the next page. */
export function closePopups(portal: Portal): void {
  portal.popups.set(portal.popups.get().filter(popup => !isDialog(popup)));
}

/** Gives the texts and formats in the caller's language, outside of React. */
export function speechFor(portal: Portal): Speech {
  return speechOf(portal.boot.get());
}
