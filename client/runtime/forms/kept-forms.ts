import type { OpenDocument } from '../state/document.ts';
import type { FormStore } from '../state/form-types.ts';
import { openDocuments, type Portal } from '../state/portal.ts';

type Popup = { readonly id: string; readonly parameters: Readonly<Record<string, unknown>> };

/**
 * What was typed, over an expired session or newer code: kept in the tab's storage for the same user at the same
 * address, without passwords and codes; along with the popups that were open for it. Dropped at sign-out and when
 * another user signs in.
 */
type KeptForm = {
  readonly identity: string;
  readonly address: string;
  readonly forms: Record<string, Readonly<Record<string, unknown>>>;
  readonly popups: readonly Popup[];
};

const place = 'portal.forms';
/** Where the keys of presses are (`press-keys.ts`). */
export const pressesPlace = 'portal.presses';

const addressNow = (): string => location.pathname + location.search;

function read(): KeptForm | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function write(kept: KeptForm): void {
  try {
    if (Object.keys(kept.forms).length > 0) sessionStorage.setItem(place, JSON.stringify(kept));
    else sessionStorage.removeItem(place);
  } catch {
    // Storage may be full or switched off: what was typed is then lost, as it would be without this.
  }
}

/**
 * Saves the changed fields of every open form, and the open popups, in the tab's session storage before the page leaves
 * for the sign-in. Pages before the sign-in save nothing, since that would replace what was typed before the session
 * ended.
 */
export function keepForms(portal: Portal): void {
  const { identity, type } = portal.boot.get().principal;
  if (type === 'public') return;
  const forms: KeptForm['forms'] = {};
  const filled = new Set<OpenDocument>();
  for (const document of openDocuments(portal)) {
    for (const [id, form] of document.forms) {
      const values = form.keep();
      if (Object.keys(values).length === 0) continue;
      forms[`${document.layout.get().layout.id}/${id}`] = values;
      filled.add(document);
    }
  }
  const popups = portal.popups
    .get()
    .filter(({ document }) => filled.has(document))
    .map(({ id, document }) => ({ id, parameters: document.popup }));
  write({ identity, address: addressNow(), forms, popups });
}

/** What the page found when it started. Forms ask this: the storage itself is slow to be asked the first time. */
let found: KeptForm | undefined;

function foundFor(portal: Portal): KeptForm | undefined {
  const isOwn = found?.identity === portal.boot.get().principal.identity && found.address === addressNow();
  return isOwn ? found : undefined;
}

/** Puts the values that `keepForms` saved back into a form, once. */
export function restoreForm(portal: Portal, documentId: string, formId: string, form: FormStore): void {
  const kept = foundFor(portal);
  const name = `${documentId}/${formId}`;
  const values = kept?.forms[name];
  if (!kept || !values) return;
  for (const [field, value] of Object.entries(values)) form.set(field, value);
  const { [name]: _, ...forms } = kept.forms;
  found = { ...kept, forms };
  write(found);
}

/** Opens the popups again whose changed fields `keepForms` saved. */
export async function restorePopups(portal: Portal): Promise<void> {
  for (const { id, parameters } of foundFor(portal)?.popups ?? []) await portal.host.openPopup(id, parameters);
}

/**
 * Loads the forms that the user `identity` kept in this tab and deletes those of another user; without `identity` it
 * deletes everything.
 */
export function loadKeptForms(identity?: string): void {
  found = read();
  try {
    if (identity === undefined) sessionStorage.removeItem(pressesPlace);
  } catch {
    // There is no storage, so nothing is in it.
  }
  if (!found || found.identity === identity) return;
  write({ ...found, forms: {} });
  found = undefined;
}
