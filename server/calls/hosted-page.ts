import type { Envelope } from '../../shared/contract/envelope.ts';
import { type HostedPage, hostedPagePattern } from '../../shared/contract/hosted-page.ts';
import { PortalError } from '../errors.ts';
import { type Asking, type Call, call } from '../operations/ask.ts';
import { type Caller, sessionOf } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import { createIdentifier } from '../session/identifier.ts';

/** Where the form of a provider is, by what the cloud has authorised; undefined where something of it is missing. */
function formAddress(authorisation: unknown, nonce: string): URL | undefined {
  const fields = (authorisation ?? {}) as Readonly<Record<string, unknown>>;
  const names = ['Url', 'TenantId', 'PageId', 'Token', 'Signature', 'Key', 'ZuoraAccountId'] as const;
  const [url, ...others] = names.map(name => fields[name]).map(value => (typeof value === 'string' ? value : ''));
  if (!url || others.includes('') || !URL.canParse(url)) return undefined;
  const [tenantId, id, token, signature, key, account] = others as string[];
  const address = new URL(url);
  const query = { method: 'requestPage', tenantId, id, token, signature, key, field_accountId: account };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
  address.searchParams.set('field_passthrough1', nonce);
  return address;
}

/**
 * Has the cloud authorise a payment provider's form (for a card or direct debit) and leads the browser to the page that
 * shows it in a frame. Nothing of the authorisation goes to the page that asked.
 * @throws {PortalError} HOSTED_PAGE_MISSING when it is incomplete, or leads to no provider of the configuration
 */
export async function authoriseHostedPage(
  asking: Asking & { readonly services: Services },
  asked: Call,
  body: unknown,
): Promise<Envelope> {
  const { services } = asking;
  const { key: session } = sessionOf(asking);
  const { Result } = await call(asking, asked, body);
  const nonce = createIdentifier();
  const form = formAddress(Result, nonce);
  if (!form || !services.hostedPageOrigins.has(form.origin)) {
    const detail = form ? `${asked.name} leads to ${form.origin}` : `${asked.name} gave no authorisation`;
    services.log.error({ operation: asked.name, origin: form?.origin }, 'a hosted page cannot be opened');
    throw new PortalError('HOSTED_PAGE_MISSING', { detail });
  }
  const content = { session, src: form.href, nonce, answer: asked.operation.hostedPage as string };
  const ticket = await services.signInStages.open('hosted-page', content);
  const to = services.ownOrigin() + hostedPagePattern.replace('{ticket}', ticket);
  return { Succeed: true, effects: [{ do: 'leave', to }] };
}

/**
 * Uses up the one-time ticket of a hosted page in the session it was made for, and gives the page to frame; undefined
 * for any other ticket.
 */
export async function openHostedPage(
  { signInStages }: Services,
  { session }: Caller,
  ticket: string | undefined,
): Promise<HostedPage | undefined> {
  const found = await signInStages.find(ticket, 'hosted-page');
  if (ticket === undefined || !session || found?.session !== session.key) return undefined;
  const taken = await signInStages.take(ticket, 'hosted-page');
  if (!taken) return undefined;
  const { src, nonce, answer } = taken;
  const key = await signInStages.open('hosted-page-open', { session: session.key, answer });
  return { ticket, src, nonce, key };
}
