import { matchRoute } from '../../shared/rules/route.ts';
import type { Access, Version } from '../layouts/index.ts';

const base = 'http://portal.invalid';

/**
 * Reads the local address to go to once signed in. Accepts only a path of a known screen, as parsed by a URL parser,
 * never by comparing text. Undefined for anything else, for '', '/' and the end-user base (document 1, section 2.3),
 * and for screens of visitors who are not signed in.
 */
export function readReturn(given: unknown, version: Version, signedIn: Access, signedOut: Access): string | undefined {
  if (typeof given !== 'string' || given.length > 2000 || !given.startsWith('/')) return undefined;
  if (/[\u0000-\u0020\u007f\\]/.test(given)) return undefined;
  if (!URL.canParse(given, base)) return undefined;
  const { origin, pathname, search, username, password } = new URL(given, base);
  if (origin !== base || username !== '' || password !== '') return undefined;
  if (pathname.startsWith('//') || /%(?:2f|5c|00)/i.test(pathname)) return undefined;
  if (pathname === '/' || pathname === '/end-user' || pathname.startsWith('/end-user/')) return undefined;
  const match = matchRoute(version.patterns, pathname);
  if (!match || (signedOut.screens.has(match.pattern) && !signedIn.screens.has(match.pattern))) return undefined;
  return pathname + search;
}
