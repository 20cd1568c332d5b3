import type { Boot } from '../../../shared/contract/boot.ts';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { Layout, PopupLayout } from '../../../shared/language/types.ts';
import { createDocument, type OpenDocument } from '../state/document.ts';
import { Failure } from '../state/failure.ts';
import { closePopup, createPortal, type Portal, showPopup } from '../state/portal.ts';

/** A call of an embedded layout: the operation or the command, its parameters and, of a form, its values. */
export type EmbeddedCall = {
  readonly operation?: string;
  readonly command?: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

type Embedded = { readonly portal: Portal; readonly document: OpenDocument };

const nothing = async (): Promise<void> => {};

/**
 * Creates the portal of one embedded layout and its popups, with given data and without a server. Links leave for the
 * surrounding page's address; `onCall` answers calls and commands.
 */
export function createEmbedHost(
  boot: Boot,
  layout: Layout,
  popups: Readonly<Record<string, PopupLayout>>,
  data: Readonly<Record<string, Envelope>>,
  onCall: (call: EmbeddedCall) => Promise<Envelope> = async () => ({ Succeed: true }),
): Embedded {
  const document = createDocument('', layout, data);
  const leave = (to: string) => location.assign(to);
  const portal: Portal = createPortal(boot, () => ({
    read: async address => Promise.reject(new Failure(404, address)),
    async send({ kind, name, with: parameters, body }) {
      const call = {
        ...(kind === 'call' ? { operation: name } : { command: name }),
        with: parameters,
        ...(body && { body }),
      };
      try {
        const envelope = await onCall(call);
        return { status: envelope.Succeed ? 200 : 400, envelope };
      } catch (error) {
        return { status: 0, envelope: { Succeed: false, Error: (error as Error).message } };
      }
    },
    navigate: async to => leave(to),
    back: async () => history.back(),
    prefetch() {},
    setRoute(changes) {
      const kept = Object.entries({ ...portal.route.get(), ...changes }).filter(([, value]) => value !== undefined);
      portal.route.set(Object.fromEntries(kept) as Record<string, string>);
    },
    async openPopup(id, parameters) {
      const popup = popups[id];
      if (popup) showPopup(portal, id, createDocument('', popup, data, parameters));
    },
    closePopup: key => closePopup(portal, key),
    sessionEnded() {},
    sessionChanged: leave,
    signOut: nothing,
    readBoot: nothing,
    refreshOperations() {},
    download: async () => ({ effects: [] }),
    reload: () => location.reload(),
    leave,
  }));
  return { portal, document };
}
