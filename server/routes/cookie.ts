import type { CookieSerializeOptions } from '@fastify/cookie';

/** The one cookie of a signed-in browser; the `__Host-` prefix binds it to this host and to a secure address. */
export const cookieName = '__Host-portal';

/** Scripts cannot read it, forms of other sites do not carry it, and it goes when the browser closes. */
export const cookieOptions = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
} as const satisfies CookieSerializeOptions;
