import type { PrincipalFacts, UserType } from '../../shared/contract/boot.ts';
import { readTimeZone } from '../../shared/rules/time-zone.ts';
import { brandFacts, isLanguageTag, type PartnerSystem, type Principal, partnerSystems } from '../access/principal.ts';
import { type Accounts, claimsOf } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { endsSession, PortalError } from '../errors.ts';
import { type Acting, endUserPermissions, nameActing } from './acting.ts';

type Wire = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
const isObject = (value: unknown): value is Wire => value !== null && typeof value === 'object';

/** Engineers are stored as type admin (document 1, section 6). */
const userTypes: Readonly<Record<string, UserType>> = {
  reseller: 'reseller',
  admin: 'engineer',
  endUserAdmin: 'endUserAdmin',
  endUser: 'endUser',
};

/** An end-user admin, reseller or engineer with the view, and with a mailbox user of their own to switch to. */
const maySwitch = (user: Wire, held: Wire): boolean =>
  user.userType !== 'endUser' && text(user.userId) !== '' && texts(held.views).includes('switchUser');

function actingType(user: Wire, { previousType }: Acting): UserType {
  const type = userTypes[text(user.userType)];
  if (!type) throw new PortalError('UPSTREAM_GARBLED', { detail: 'unknown user type' });
  return previousType ? 'endUser' : type;
}

function factsOf(user: Wire, acting: Acting, locale: string, prices: boolean): PrincipalFacts {
  const timeZone = readTimeZone(user.timeZone);
  // A reseller's people have no user record: their name tells one from the other.
  const userId = text(user.userId) || text(user.userName);
  return {
    type: actingType(user, acting),
    name: text(user.displayName) || text(user.userName),
    email: text(user.emailAddress),
    userId,
    identity: nameActing(userId, acting),
    organisationId: text(user.organisationId),
    organisationName: text(user.organisationName),
    currency: user.currency === 'EUR' ? 'EUR' : 'GBP',
    locale,
    ...(timeZone !== undefined && { timeZone }),
    ...(!prices && { prices: 'hidden' as const }),
    ...(acting.jumpedBy !== undefined && { actor: acting.jumpedBy }),
  };
}

/**
 * "Resellers always see prices; others see prices only when display settings are loaded and HidePricing is false, or
 * when the user is an end user or end-user admin (hidden by default)" (document 1, section 6). The last clause can be
 * read both ways; it is taken as naming for whom prices are hidden until the settings say otherwise. So everyone but
 * a reseller needs loaded settings with HidePricing exactly false; anything else hides them.
 */
export function seesPrices(type: UserType, display: Wire | undefined): boolean {
  return type === 'reseller' || display?.HidePricing === false;
}

/**
 * Gives the value of the actor-id header: the user name for end users, the e-mail address for others (document 1,
 * section 6).
 */
export function actorOf(facts: PrincipalFacts, account: string): string {
  return facts.type === 'endUser' ? account : facts.email || account;
}

/** Undefined for an account without a permissions record: it is signed in and may do nothing. */
async function readRights(accounts: Accounts, credentials: Credentials): Promise<Wire | undefined> {
  try {
    return await accounts.permissions(credentials);
  } catch (error) {
    if (error instanceof PortalError && error.code === 'PERMISSION_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Undefined when the settings cannot be had; prices are then hidden, and the rest of the portal goes on. */
async function readDisplay(accounts: Accounts, credentials: Credentials): Promise<Wire | undefined> {
  try {
    return await accounts.displaySettings(credentials);
  } catch (error) {
    if (endsSession(error)) throw error;
    return undefined;
  }
}

/**
 * Reads the brand that the account sees (document 1, section 2.2). A cloud that does not tell it leaves the look as it
 * was: nobody is kept from the portal by its colours, and no page changes them by itself.
 */
async function readBrandFacts(
  accounts: Accounts,
  credentials: Credentials,
  before: PrincipalFacts | undefined,
): Promise<ReturnType<typeof brandFacts>> {
  try {
    return brandFacts(await accounts.brand(credentials));
  } catch (error) {
    if (endsSession(error)) throw error;
    const { brand, privacyPolicy, look } = before ?? {};
    return { ...(brand && { brand }), ...(privacyPolicy && { privacyPolicy }), ...(look && { look }) };
  }
}

/**
 * Reads the slugs of the other systems that the account is linked to (document 1, section 3); none where the cloud does
 * not tell them: then there are no links to these.
 */
async function readLinked(accounts: Accounts, credentials: Credentials): Promise<readonly string[]> {
  try {
    const systems = await accounts.partnerSystems(credentials);
    return systems.filter(({ linked }) => linked === true).map(({ slug }) => text(slug));
  } catch (error) {
    if (endsSession(error)) throw error;
    return [];
  }
}

/** The systems that the caller has links to: "hidden for end-user admins" (document 1, section 2.6). */
function systemsOf(
  type: UserType,
  linked: readonly string[],
  home: string | undefined,
): { readonly systems?: readonly PartnerSystem[] } {
  if (type !== 'reseller' && type !== 'engineer') return {};
  const systems = partnerSystems.filter(name => (name === 'dashboard' ? home !== undefined : linked.includes(name)));
  return systems.length > 0 ? { systems } : {};
}

export type Identity = {
  readonly principal: Principal;
  /** False for an account without a permissions record. */
  readonly hasRecord: boolean;
  /** True for who may switch into the end-user view, or is there. */
  readonly hasEndUserView: boolean;
};

/**
 * What an account holds as it acts. In the end-user view it is an end user and nothing more: no view, and of its
 * permissions those that an end user can have. Nobody is offered a view that there is not.
 */
function heldBy(user: Wire, held: Wire, { previousType }: Acting): Pick<Principal, 'views' | 'permissions'> {
  if (previousType)
    return { views: [], permissions: texts(held.permissions).filter(name => endUserPermissions.includes(name)) };
  const views = texts(held.views).filter(view => view !== 'switchUser' || maySwitch(user, held));
  return { views, permissions: texts(held.permissions) };
}

/** The cloud's profile has a locale, such as "en-GB" (document 1, section 3). */
function profileLocaleOf({ locale }: Wire): Pick<Principal, 'profileLocale'> {
  return typeof locale === 'string' && isLanguageTag(locale) ? { profileLocale: locale } : {};
}

/** The time zone that the browser of the account last said. */
function browserTimeZoneOf({ browserTimeZone }: Wire): Pick<Principal, 'browserTimeZone'> {
  const zone = readTimeZone(browserTimeZone);
  return zone === undefined ? {} : { browserTimeZone: zone };
}

/** Reads how often the account has come to see fewer customers: files that were made before are not given out. */
function sightOf({ sight }: Wire): Pick<Principal, 'sight'> {
  return typeof sight === 'number' && sight > 0 ? { sight: String(sight) } : {};
}

/** Until the agreement is signed a reseller is of a type that only the agreement's own documents name. */
const mustSign = (facts: PrincipalFacts, user: Wire): Principal => ({
  type: 'mustSign',
  views: [],
  permissions: [],
  features: [],
  prices: false,
  currency: facts.currency,
  switched: false,
  ...profileLocaleOf(user),
  facts: { ...facts, type: 'mustSign' },
});

/** "Enabled only if the token claim says so and the user is not an end user or end-user admin" (section 4). */
async function homeOf(
  accounts: Accounts,
  credentials: Credentials,
  { type }: PrincipalFacts,
): Promise<string | undefined> {
  if (type === 'endUser' || type === 'endUserAdmin') return undefined;
  const { singleExperience } = claimsOf(await credentials.token());
  return singleExperience === true ? accounts.singleExperienceUrl : undefined;
}

/** The features that are on. Without a chat of the operator there is none to open. */
const featuresOf = ({ hasLiveChat }: Accounts, flags: readonly Wire[]): readonly string[] =>
  flags
    .filter(flag => flag.enabled === true)
    .map(flag => text(flag.featureName))
    .filter(name => name !== 'LiveChat' || hasLiveChat);

/**
 * Reads from the cloud who an account is, its rights and its display settings. Gives its principal, without what it may
 * not do as it acts (`acting`), and whether it has a permissions record and an end-user view.
 * @param before what was known of it, for what the cloud does not tell at this moment
 * @throws {PortalError} when the cloud does not answer; if only the display settings fail, it hides prices instead
 */
export async function readIdentity(
  accounts: Accounts,
  credentials: Credentials,
  acting: Acting = {},
  before?: PrincipalFacts,
): Promise<Identity> {
  const [user, rights, display, brand, linked] = await Promise.all([
    accounts.loginUser(credentials),
    readRights(accounts, credentials),
    readDisplay(accounts, credentials),
    readBrandFacts(accounts, credentials, before),
    readLinked(accounts, credentials),
  ]);
  const prices = seesPrices(actingType(user, acting), display);
  const facts = { ...factsOf(user, acting, accounts.locale, prices), ...brand };
  if (user.userType === 'reseller' && user.mustSignIn === true && (await accounts.mustSignNow(credentials)))
    return { principal: mustSign(facts, user), hasRecord: true, hasEndUserView: false };
  const held = isObject(rights?.usersPermissions) ? rights.usersPermissions : {};
  const flags = Array.isArray(rights?.featureFlags) ? (rights.featureFlags as unknown[]).filter(isObject) : [];
  const home = await homeOf(accounts, credentials, facts);
  const principal: Principal = {
    type: facts.type,
    ...heldBy(user, held, acting),
    features: featuresOf(accounts, flags),
    prices,
    currency: facts.currency,
    switched: acting.previousType !== undefined,
    ...(acting.previousType && { previousType: acting.previousType }),
    ...(home !== undefined && { home }),
    ...systemsOf(facts.type, linked, home),
    ...profileLocaleOf(user),
    ...browserTimeZoneOf(user),
    ...sightOf(user),
    facts,
  };
  const hasEndUserView = maySwitch(user, held);
  return { principal, hasRecord: rights !== undefined, hasEndUserView };
}
