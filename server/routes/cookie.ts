import type { CookieSerializeOptions } from '@fastify/cookie';

/** The one cookie of a signed-in browser; the `__Host-` prefix binds it to this host and to a secure address. */
export const cookieName = '__Host-portal';

/** Names a flow of signing in that waits for its next step; gone with the flow. */
export const stepCookieName = '__Host-portal-step';

/** Scripts cannot read it, forms of other sites do not carry it, and it goes when the browser closes. */
export const cookieOptions = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
} as const satisfies CookieSerializeOptions;

/** No address of another site leads into the middle of a flow. */
export const stepCookieOptions = { ...cookieOptions, sameSite: 'strict' } as const satisfies CookieSerializeOptions;
