import { type KeyObject, verify } from 'node:crypto';
import { type Callback, textToSign } from './callback-text.ts';
import type { Charge } from './provider/charges.ts';
import type { Mandate } from './provider/mandates.ts';

/** Values that open the provider's hosted page (document 2, section 3). */
export type Authorisation = {
  readonly Signature: string;
  readonly Token: string;
  readonly Key: string;
  readonly TenantId: string;
  readonly PageId: string;
  readonly Url: string;
  readonly ZuoraAccountId: string;
};

/** Payment method that the provider stores for a token. */
export type StoredMethod = {
  readonly id: string;
  readonly kind: 'card' | 'directDebit';
  readonly brand: string | null;
  readonly last4: string;
  readonly holder: string;
  readonly expires: string | null;
};

/** Milliseconds that the provider has for an answer. */
const patience = 5000;
const pagePath = '/apps/PublicHostedPageLite.do';

/** The card provider as the cloud sees it. What it answers is undefined where it is down, slow or makes no sense. */
export type ProviderClient = {
  authorise(asked: {
    readonly pageId: string;
    readonly accountId: string;
    readonly currency: string;
    readonly cardTypes: readonly string[];
  }): Promise<Authorisation | undefined>;
  /** True where the provider itself signed these fields. */
  isSigned(callback: Callback, signature: string): boolean;
  methodOf(token: string): Promise<StoredMethod | undefined>;
  closeMethod(id: string): Promise<boolean>;
  mandate(id: string): Promise<Mandate | undefined>;
  charge(asked: {
    readonly key: string;
    readonly methodId: string;
    readonly amount: number;
    readonly currency: string;
  }): Promise<Charge | undefined>;
  /** Finds the outcome of a charge; `none` where there is none by this key. */
  findCharge(key: string): Promise<Charge | 'none' | undefined>;
  /** As `findCharge`, and from now on nothing is ever charged by this key. */
  voidCharge(key: string): Promise<Charge | undefined>;
};

type ClientOptions = { readonly address: () => string; readonly publicKey: KeyObject; readonly secret: string };
type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

const isCharge = (body: object): body is Charge =>
  'status' in body && ['processed', 'declined', 'voided'].includes(String(body.status));

/** Creates the client with which the sandbox calls its card provider; `address` is known once that listens. */
export function createProviderClient({ address, publicKey, secret }: ClientOptions): ProviderClient {
  async function ask(method: string, path: string, body?: object): Promise<Answer | undefined> {
    try {
      const reply = await fetch(address() + path, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
        headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const read: unknown = await reply.json();
      if (typeof read !== 'object' || read === null) return undefined;
      return { status: reply.status, body: read as Answer['body'] };
    } catch {
      return undefined;
    }
  }
  const done = (answer: Answer | undefined): Answer['body'] | undefined =>
    answer?.status === 200 && answer.body.success === true ? answer.body : undefined;
  const chargeIn = (answer: Answer | undefined): Charge | undefined => {
    const body = done(answer);
    return body && isCharge(body) ? body : undefined;
  };
  const pathOf = (key: string): string => `/v1/charges/${encodeURIComponent(key)}`;

  return {
    async authorise({ pageId, accountId, currency, cardTypes }) {
      const url = address() + pagePath;
      const answer = done(
        await ask('POST', '/v1/rsa-signatures', { uri: url, method: 'POST', pageId, accountId, currency, cardTypes }),
      );
      const { signature, token, key, tenantId } = answer ?? {};
      // A token may come without its signature: then there is no page.
      if (![signature, token, key, tenantId].every(part => typeof part === 'string' && part !== '')) return undefined;
      return {
        ...{ Signature: String(signature), Token: String(token), Key: String(key), TenantId: String(tenantId) },
        ...{ PageId: pageId, Url: url, ZuoraAccountId: accountId },
      };
    },
    isSigned: (callback, signature) =>
      verify('sha512', Buffer.from(textToSign(callback)), publicKey, Buffer.from(signature, 'base64')),
    async methodOf(token) {
      const body = done(await ask('GET', `/v1/payment-methods?token=${encodeURIComponent(token)}`));
      return body && typeof body.id === 'string' ? (body as unknown as StoredMethod) : undefined;
    },
    closeMethod: async id =>
      done(await ask('POST', `/v1/payment-methods/${encodeURIComponent(id)}/close`, {})) !== undefined,
    async mandate(id) {
      const body = done(await ask('GET', `/v1/mandates/${encodeURIComponent(id)}`));
      return body?.status as Mandate | undefined;
    },
    charge: async asked => chargeIn(await ask('POST', '/v1/charges', asked)),
    async findCharge(key) {
      const answer = await ask('GET', pathOf(key));
      return answer?.status === 404 ? 'none' : chargeIn(answer);
    },
    voidCharge: async key => chargeIn(await ask('POST', `${pathOf(key)}/void`, {})),
  };
}
