import type { Envelope } from '../../../shared/contract/envelope.ts';
import { pressesPlace } from '../forms/kept-forms.ts';
import { type Outgoing, type Portal, speechFor } from '../state/portal.ts';
import type { Answer } from '../state/post-call.ts';
import { toast } from './toasts.tsx';

/**
 * Keys of presses. One whose outcome is unknown keeps its key: pressed again with the same values, it acts once
 * (the calls of document 2 are not repeatable by themselves). What was on its way when the page was left is found
 * again in the session storage, but for what holds a password.
 */
type KeptKey = { readonly key: string; readonly at: number };
type Stored = { readonly identity: string; readonly presses: Readonly<Record<string, KeptKey>> };

/** Milliseconds after which the same values are a new wish, and no repetition. */
const lifetime = 60 * 60 * 1000;

const unknownOf = new WeakMap<Portal, Map<string, KeptKey>>();

const identityOf = (portal: Portal): string => portal.boot.get().principal.identity;

function readStored(identity: string): Stored['presses'] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(pressesPlace) ?? 'null') as Stored | null;
    return stored?.identity === identity ? stored.presses : {};
  } catch {
    return {};
  }
}

function store(identity: string, change: (presses: Record<string, KeptKey>) => void): void {
  const presses = { ...readStored(identity) };
  change(presses);
  try {
    if (Object.keys(presses).length === 0) sessionStorage.removeItem(pressesPlace);
    else sessionStorage.setItem(pressesPlace, JSON.stringify({ identity, presses } satisfies Stored));
  } catch {
    // Storage may be full or switched off: the keys then live as long as the page.
  }
}

/**
 * Offers the article that explains a refusal, in place of an offer of the same that is still there. It opens beside this
 * page, which may hold what was typed.
 */
function offerArticle(portal: Portal, { Succeed, Resources }: Envelope): void {
  const article = Succeed ? undefined : Resources?.article;
  if (!article) return;
  const action = {
    text: speechFor(portal).word('shell.help'),
    run: () => {
      open(article.to, '_blank', 'noopener');
    },
  };
  portal.toasts.set(portal.toasts.get().filter(({ text }) => text !== article.title));
  toast(portal, { kind: 'info', text: article.title, action });
}

/**
 * Sends the call of a press with a new idempotency key; when the same press was sent before and its outcome is not
 * known, with the key of that one, so that it runs once.
 */
export async function sendPress(
  portal: Portal,
  request: Outgoing,
  send: (key: string) => Promise<Answer>,
): Promise<Answer> {
  const identity = identityOf(portal);
  const unknown = unknownOf.get(portal) ?? new Map(Object.entries(readStored(identity)));
  unknownOf.set(portal, unknown);
  const { kind, name, with: parameters, body, isSecret } = request;
  const press = JSON.stringify([kind, name, parameters, body]);
  const before = unknown.get(press);
  const at = Date.now();
  const kept = { key: before && at - before.at < lifetime ? before.key : crypto.randomUUID(), at };
  // Before it is sent: the page may be gone when the answer comes.
  if (!isSecret) store(identity, presses => Object.assign(presses, { [press]: kept }));
  const answer = await send(kept.key);
  const { status, envelope } = answer;
  // A refusal of the portal's own says nothing of what was sent before it.
  const isOwnRefusal = !envelope.Succeed && envelope.Resources?.code !== undefined;
  if (status === 0 || status >= 500) unknown.set(press, kept);
  else if (!before || !isOwnRefusal) {
    unknown.delete(press);
    if (!isSecret) store(identity, presses => delete presses[press]);
  }
  offerArticle(portal, envelope);
  return answer;
}
