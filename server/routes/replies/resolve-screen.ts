import { matchRoute } from '../../../shared/rules/route.ts';
import { publicPrincipal } from '../../access/principal.ts';
import { PortalError } from '../../errors.ts';
import type { TrimmedLayout } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import { landingOf } from '../../operations/landing.ts';
import { readReturn } from '../../operations/return-address.ts';

export type FoundScreen = {
  readonly pattern: string;
  readonly layout: TrimmedLayout;
  /** Parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
};
export type Resolved = { readonly redirect: string } | FoundScreen;

const base = 'http://portal.invalid';
const accessDenied = '/access-denied';
/** The screen that refuses an address which is marked as requestable. */
const accessRequest = `${accessDenied}/{mark}`;
const refusals = [accessDenied, accessRequest];

/** Throws NOT_FOUND for text that is no local address. */
function parseAddress(address: string): URL {
  const url =
    address.startsWith('/') && !address.startsWith('//') && URL.canParse(address, base)
      ? new URL(address, base)
      : undefined;
  if (!url || url.origin !== base) throw new PortalError('NOT_FOUND', { detail: 'no local address' });
  return url;
}

/**
 * Gives the address of the sign-in page that returns to this address; without a return address where that is the
 * landing anyway (document 1, section 2.3).
 */
export function loginFor({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const isLanding = pathname === '/' || pathname === '/end-user' || pathname.startsWith('/end-user/');
  return isLanding ? '/login' : `/login?${new URLSearchParams({ return: pathname + search })}`;
}

/** Leads elsewhere, unless that is where the caller already is. */
function redirectTo(to: string, { pathname }: URL): Resolved {
  if (new URL(to, base).pathname === pathname)
    throw new PortalError('NOT_FOUND', { detail: `${to} is not there for this caller` });
  return { redirect: to };
}

/** The address of a route; parameters that are no part of its path go before the query that came along. */
function addressOf(route: string, parameters: Readonly<Record<string, string>>, given: URLSearchParams): string {
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const own = Object.entries(parameters).filter(([name]) => !route.includes(`{${name}}`));
  const query = new URLSearchParams([...own, ...[...given].filter(([name]) => !Object.hasOwn(parameters, name))]);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The mark of a screen that the caller may ask for; undefined for any other. */
function markOf({ requestable, screens }: Caller['access'], pattern: string): string | undefined {
  if (!screens.has(accessRequest)) return undefined;
  return [...requestable].find(([, { route }]) => route === pattern)?.[0];
}

/** The local address that was refused, as the page that refuses it has it in its own; undefined for any other text. */
function readFrom(given: URLSearchParams): URL | undefined {
  const from = given.get('from');
  if (!from?.startsWith('/') || !URL.canParse(from, base)) return undefined;
  const url = new URL(from, base);
  const isLocal = url.origin === base && !url.pathname.startsWith('//');
  return isLocal && !matchRoute(refusals, url.pathname) ? url : undefined;
}

/**
 * The page that refuses what nobody may ask for. It knows the address as it was given and nothing else of it, so that it
 * can lead on once the caller has its screen.
 */
const refuse = (from: URL | undefined): string =>
  addressOf(accessDenied, from ? { from: from.pathname + from.search } : {}, new URLSearchParams());

/**
 * Finds the screen of an address for a caller, or the address to redirect to (document 1, section 2): sign-in, landing,
 * access-denied or not-found. Page and screen requests both use it, and it matches routes as the browser does.
 */
export function resolveScreen({ access, version, session, principal }: Caller, address: string): Resolved {
  const url = parseAddress(address);
  const { pathname, searchParams } = url;
  const own = matchRoute(access.patterns, pathname);
  const layout = own && access.screens.get(own.pattern);
  const known = matchRoute(version.patterns, pathname);
  // Who may not see the screen that an address means is refused it, and not shown another whose address is less exact;
  // nor is one shown in place of the screen that a more exact alias leads to.
  const from = own && refusals.includes(own.pattern) ? readFrom(searchParams) : undefined;
  const isUseless = own?.pattern === accessRequest && !access.requestable.has(own.parameters.mark ?? '');
  if (from && (isUseless || own?.pattern === accessDenied) && matchRoute(access.patterns, from.pathname))
    return redirectTo(from.pathname + from.search, url);
  if (isUseless) return redirectTo(refuse(from), url);
  if (own && layout && own.pattern === known?.pattern)
    return { pattern: own.pattern, layout, parameters: own.parameters, query: searchParams };
  const other = matchRoute([...access.aliases.keys()], pathname);
  if (other)
    return { redirect: addressOf(access.aliases.get(other.pattern) as string, other.parameters, searchParams) };
  if (pathname === '/') return redirectTo(landingOf(access, principal), url);
  // Document 1, section 2.2: whatever else they ask for, the agreement comes first.
  if (principal.type === 'mustSign') return redirectTo(landingOf(access, principal), url);
  if (!known) return redirectTo('/not-found', url);
  if (!session) return redirectTo(loginFor(url), url);
  const signedOut = version.access(publicPrincipal);
  const isForSignedOut = signedOut.screens.has(known.pattern);
  // Signed in since, in another tab: this one goes where its sign-in page would have led.
  const wanted = isForSignedOut ? readReturn(searchParams.get('return'), version, access, signedOut) : undefined;
  if (wanted !== undefined) return redirectTo(wanted, url);
  // Document 1, section 2.2: the users of customers are led to their landing, as they have no screen that refuses them.
  const isTold = !isForSignedOut && access.screens.has(accessDenied);
  const mark = isTold ? markOf(access, known.pattern) : undefined;
  if (mark !== undefined)
    return { redirect: addressOf(accessRequest, { mark, from: pathname + url.search }, new URLSearchParams()) };
  return redirectTo(isTold ? refuse(url) : landingOf(access, principal), url);
}
