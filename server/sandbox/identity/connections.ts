/** An identity provider of the sandbox: its path below the sandbox's address, which is its issuer too, and its name. */
export type Connection = { readonly path: string; readonly name: string; readonly through: 'password' | 'microsoft' };

/** Identity providers of organisations, and of the people of a cloud office suite. */
export const connections: readonly Connection[] = [
  { path: '/oidc', name: 'Fernhill sign-in', through: 'password' },
  { path: '/office', name: 'Work account', through: 'microsoft' },
];

/** The one client of both, and the secret by which the portal in front of the sandbox proves to be it. */
export const clientId = 'portal';
export const clientSecret = 'sandbox-portal-secret';
