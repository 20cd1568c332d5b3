import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { Layout, Scalar } from '../../../shared/language/types.ts';
import type { FormStore } from '../state/form-types.ts';
import { createStore, type Store } from './store.ts';

/** How a data source is doing. */
export type SourceStatus = {
  /** True while what is shown is not yet the answer to what is asked. */
  readonly loading: boolean;
  /** What went wrong with the last read, in words. */
  readonly failed: string | undefined;
  /** Reference number of a fault about which the user can do nothing. */
  readonly reference?: string | undefined;
};

/** A document on the page: a screen, a popup or the navigation, with its own data, state and forms. */
export type OpenDocument = {
  /** Replaced in place by a live edit. */
  readonly layout: Store<{ readonly hash: string; readonly layout: Layout }>;
  readonly data: Store<Readonly<Record<string, Envelope>>>;
  readonly status: Store<Readonly<Record<string, SourceStatus>>>;
  readonly state: Store<Readonly<Record<string, Scalar>>>;
  /** Parameters given by open-popup. */
  readonly popup: Readonly<Record<string, unknown>>;
  /** Forms by the id of their node; they live as long as the document. */
  readonly forms: Map<string, FormStore>;
  /** Reads a source again, by its name; `done` hears when it was read, or could not be. */
  readonly reads: Map<string, (done?: () => void) => void>;
};

/** Opens a layout as a document: `data` holds first replies by source name, `popup` the parameters of a popup. */
export function createDocument(
  hash: string,
  layout: Layout,
  data: Readonly<Record<string, Envelope>> = {},
  popup: Readonly<Record<string, unknown>> = {},
): OpenDocument {
  return {
    layout: createStore({ hash, layout }),
    data: createStore(data),
    status: createStore<Readonly<Record<string, SourceStatus>>>({}),
    state: createStore((layout.state ?? {}) as Readonly<Record<string, Scalar>>),
    popup,
    forms: new Map(),
    reads: new Map(),
  };
}

/** Puts a newer layout into an open document; typed values, data and state stay. */
export function replaceLayout(document: OpenDocument, hash: string, layout: Layout): void {
  document.state.set({ ...(layout.state as Readonly<Record<string, Scalar>> | undefined), ...document.state.get() });
  document.layout.set({ hash, layout });
}
