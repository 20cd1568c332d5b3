import { type Journey, journeyOf, type Level, type ProductCode } from '../../../shared/catalogue/codes.ts';

/** `many`: what is added for many customers at once. */
export type Mode = 'add' | 'upgrade' | 'modify' | 'many';

/** What is added, for whom; `instance` is what is changed. */
export type Adding = {
  readonly product: ProductCode;
  readonly mode: Mode;
  /** Empty for many, who are chosen on the way; what is a customer's own fact is checked when its turn comes. */
  readonly customer: string;
  /** At user level. */
  readonly user?: string | undefined;
  readonly instance?: string | undefined;
  /** The flag CrossSell is on. */
  readonly crossSell: boolean;
};

/** What has been asked so far; each answer is asked for once, and only when it is needed. */
export type JourneyFacts = {
  /** Whose the customer's office suite is: 0 nobody's, 1 ours, 2 another partner's. */
  readonly partner?: number;
  readonly agreement?: { readonly signed: boolean };
  readonly mayAgree?: boolean;
  /** Ids of the linked agreements that are not signed. */
  readonly outstanding?: readonly string[];
};

export type Question = keyof JourneyFacts;
export type Decision =
  | { readonly ask: Question }
  /** The customer's office suite is in hands already. */
  | { readonly do: 'leave'; readonly partner: number }
  /** `isSecure`: the flow of the secure office suite has words of its own. */
  | { readonly do: 'sign'; readonly isSecure: boolean }
  | { readonly do: 'authorised-only'; readonly isSecure: boolean }
  | { readonly do: 'no-permission' }
  /** Addresses, one after the other; the last one stays. */
  | { readonly do: 'go'; readonly to: readonly string[] };

const officeSuite = 8;
/** Microsoft family of the secure office suite (document 2, section 3). */
const secure = 9;

/**
 * Decides what comes next when a product is added (document 1, section 4, add-product flow), or which fact is needed
 * first (`ask`): the customer's partner for the office suite, then the service agreement, who may sign, linked
 * agreements, and last the order's screen. Pure.
 */
export function decideAdd(adding: Adding, answers: JourneyFacts): Decision {
  const { product, mode } = adding;
  const isSecure = product.serviceId === officeSuite && product.subId === secure;
  if (product.serviceId === officeSuite && mode === 'add') {
    if (answers.partner === undefined) return { ask: 'partner' };
    if (answers.partner === 1 || answers.partner === 2) return { do: 'leave', partner: answers.partner };
  }
  if (answers.agreement === undefined) return { ask: 'agreement' };
  if (!answers.agreement.signed) {
    if (answers.mayAgree === undefined) return { ask: 'mayAgree' };
    return answers.mayAgree ? { do: 'sign', isSecure } : { do: 'authorised-only', isSecure };
  }
  if (answers.outstanding === undefined) return { ask: 'outstanding' };
  if (answers.outstanding.length > 0) {
    if (answers.mayAgree === undefined) return { ask: 'mayAgree' };
    return answers.mayAgree ? { do: 'sign', isSecure } : { do: 'no-permission' };
  }
  return { do: 'go', to: wayOf(adding) };
}

/**
 * Writes the address segment `{customerId}`, or `{customerId}+{userId}` at user level; a plus inside an id is encoded
 * (document 1, section 2.4).
 */
export function segmentOf(customer: string, user?: string): string {
  const part = encodeURIComponent(customer);
  return user === undefined ? part : `${part}+${encodeURIComponent(user)}`;
}

/** Reads a decoded segment of `segmentOf`. Customer ids hold no plus; user ids (e-mail addresses) may. */
export function partsOf(segment: string): { readonly customer: string; readonly user: string | undefined } {
  const at = segment.indexOf('+');
  return at < 0
    ? { customer: segment, user: undefined }
    : { customer: segment.slice(0, at), user: segment.slice(at + 1) };
}

/** Whether an order of a commercial licence is for a term; nothing where one chooses freely. */
export type Commitment = 'term' | 'monthly' | undefined;

/**
 * Gives the commitment of an order, `term` or `monthly`, from the answer to the nce-question (`byListing`); undefined
 * when the user still chooses. With DisableLegacyMicrosoftOrders every order is for a term.
 */
export function commitmentOf(
  product: ProductCode,
  byListing: boolean | undefined,
  features: readonly string[],
): Commitment {
  if (journeyOf(product, features.includes('CrossSell')) !== 'nce') return undefined;
  if (byListing || features.includes('DisableLegacyMicrosoftOrders')) return 'term';
  return byListing === undefined ? undefined : 'monthly';
}

function wayOf({ product, mode, customer, user, instance = '', crossSell }: Adding): string[] {
  if (mode === 'many') return [`/services/${product.serviceId}/${product.subId}/add-to-many`];
  const base = `/customers/customer/${segmentOf(customer, user)}`;
  const journey = journeyOf(product, crossSell);
  const { serviceId, route } = product;
  const listing = encodeURIComponent(product.listingId ?? '');
  if (mode === 'modify') return [`${base}/cs/modify-service/${serviceId}/${encodeURIComponent(instance)}`];
  if (mode === 'upgrade') {
    if (journey === 'new') return [`${base}/cs/upgrade-service/${listing}/${encodeURIComponent(instance)}`];
    if (journey === 'nce') return [`${base}/cs-nce/upgrade-service/${listing}/${encodeURIComponent(instance)}`];
    return [`${base}/upgrade-service/${route ?? serviceId}/${encodeURIComponent(instance)}`];
  }
  const level: Level = user === undefined ? 'customer' : 'user';
  const ways: Readonly<Record<Journey, () => string[]>> = {
    new: () => [`${base}/cs/add-service/${listing}`],
    nce: () => [
      `${base}/nce-question?${new URLSearchParams({
        serviceRouteName: route ?? '',
        listingId: product.listingId ?? '',
        isNewJourney: String(product.listingId !== null),
      })}`,
    ],
    files: () => [`${base}/add-services/${serviceId}/Add/${level}`],
    signature: () => [
      `/customers/customer/${segmentOf(customer)}/view/services`,
      `${base}/add-services/${serviceId}/Add/${level}`,
    ],
    classic: () => [`${base}/add-service/${route}`],
  };
  return ways[journey]();
}
