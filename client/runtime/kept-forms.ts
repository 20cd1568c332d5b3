import type { FormStore } from './form-store.ts';
import type { Portal } from './portal.ts';

/**
 * What was typed, over an expired session: kept in the tab's storage for the same user at the same address, without
 * passwords. Dropped at sign-out and when another user signs in.
 */
type Kept = {
  readonly userId: string;
  readonly address: string;
  readonly forms: Record<string, Readonly<Record<string, unknown>>>;
};

const place = 'portal.forms';

function read(): Kept | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function write(kept: Kept): void {
  try {
    if (Object.keys(kept.forms).length > 0) sessionStorage.setItem(place, JSON.stringify(kept));
    else sessionStorage.removeItem(place);
  } catch {
    // Storage may be full or switched off: what was typed is then lost, as it would be without this.
  }
}

/** Keeps the changed fields of every open form. */
export function keepForms(portal: Portal): void {
  const documents = [portal.screen.get()?.document, ...portal.popups.get().map(popup => popup.document)];
  const forms: Kept['forms'] = {};
  for (const document of documents) {
    for (const [id, form] of document?.forms ?? []) {
      const values = form.keep();
      if (Object.keys(values).length > 0) forms[`${document?.layout.get().layout.id}/${id}`] = values;
    }
  }
  write({ userId: portal.boot.get().principal.userId, address: location.pathname + location.search, forms });
}

/** What the page found when it started. Forms ask this: the storage itself is slow to be asked the first time. */
let found: Kept | undefined;

/** Puts what was kept for a form back into it, once. */
export function restoreForm(portal: Portal, documentId: string, formId: string, form: FormStore): void {
  const kept = found;
  const name = `${documentId}/${formId}`;
  const values = kept?.forms[name];
  if (!kept || !values || kept.userId !== portal.boot.get().principal.userId) return;
  if (kept.address !== location.pathname + location.search) return;
  for (const [field, value] of Object.entries(values)) form.set(field, value);
  const { [name]: _, ...forms } = kept.forms;
  found = { ...kept, forms };
  write(found);
}

/** Finds what the user of this page typed before, and forgets what another did; without `userId`, everything. */
export function findForms(userId?: string): void {
  found = read();
  if (!found || found.userId === userId) return;
  write({ ...found, forms: {} });
  found = undefined;
}
