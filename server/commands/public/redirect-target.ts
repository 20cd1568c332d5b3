import { publicPrincipal } from '../../access/principal.ts';
import type { Caller } from '../../operations/caller.ts';
import { readReturn } from '../../operations/return-address.ts';
import type { RedirectRules } from '../../operations/services.ts';

/** Where a redirect may lead: an address outside that the operator allows, or a screen of the portal. */
export type RedirectTarget =
  | { readonly kind: 'outside'; readonly to: string; readonly shown: string }
  | { readonly kind: 'inside'; readonly to: string; readonly shown: string };

const longest = 2000;

/**
 * Reads an address to redirect to. Gives it in the spelling of the WHATWG URL parser, so that the browser goes exactly
 * where was checked; undefined unless it is the portal's own or in the allow-list.
 */
export function readTarget(
  given: unknown,
  { allowed, own }: RedirectRules,
  { version, access }: Pick<Caller, 'version' | 'access'>,
): RedirectTarget | undefined {
  if (typeof given !== 'string' || given.length > longest) return undefined;
  const inside = (path: string): RedirectTarget | undefined => {
    const to = readReturn(path, version, access, version.access(publicPrincipal));
    return to === undefined ? undefined : { kind: 'inside', to, shown: to };
  };
  if (given.startsWith('/')) return inside(given);
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.origin === own) return inside(url.pathname + url.search);
  return allowed.has(url.origin) ? { kind: 'outside', to: url.href, shown: url.origin } : undefined;
}
