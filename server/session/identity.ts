import type { PrincipalFacts, UserType } from '../../shared/contract/boot.ts';
import type { Principal } from '../access/principal.ts';
import type { Accounts } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { PortalError } from '../errors.ts';

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

function factsOf(user: Wire): PrincipalFacts {
  const type = userTypes[text(user.userType)];
  if (!type) throw new PortalError('UPSTREAM_GARBLED', { detail: 'unknown user type' });
  return {
    type,
    name: text(user.displayName) || text(user.userName),
    email: text(user.emailAddress),
    // A reseller's people have no user record: their name tells one from the other.
    userId: text(user.userId) || text(user.userName),
    organisationId: text(user.organisationId),
    organisationName: text(user.organisationName),
    currency: user.currency === 'EUR' ? 'EUR' : 'GBP',
    locale: 'en-GB',
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

/** The actor-id header: the user name for end users, the e-mail address for others (document 1, section 6). */
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
    if (error instanceof PortalError && error.code === 'SESSION_ENDED') throw error;
    return undefined;
  }
}

/** `hasRecord` is false for an account without a permissions record. */
export type Identity = { readonly principal: Principal; readonly hasRecord: boolean };

/** Asks the cloud who an account is and what it may do. Throws a PortalError when it cannot be had. */
export async function readIdentity(accounts: Accounts, credentials: Credentials): Promise<Identity> {
  const [user, rights, display] = await Promise.all([
    accounts.loginUser(credentials),
    readRights(accounts, credentials),
    readDisplay(accounts, credentials),
  ]);
  const facts = factsOf(user);
  const held = isObject(rights?.usersPermissions) ? rights.usersPermissions : {};
  const flags = Array.isArray(rights?.featureFlags) ? (rights.featureFlags as unknown[]).filter(isObject) : [];
  const principal: Principal = {
    type: facts.type,
    views: texts(held.views),
    permissions: texts(held.permissions),
    features: flags.filter(flag => flag.enabled === true).map(flag => text(flag.featureName)),
    prices: seesPrices(facts.type, display),
    currency: facts.currency,
    switched: false,
    facts,
  };
  return { principal, hasRecord: rights !== undefined };
}
