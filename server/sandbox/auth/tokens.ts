import { createHmac, timingSafeEqual } from 'node:crypto';

/** Claims of a token. `typ` keeps a hub's token from opening the API. */
export type Claims = {
  readonly sub: string;
  /** The sign-in that the token belongs to. */
  readonly sid: string;
  readonly typ: 'access' | 'hub';
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  readonly currency?: string;
  readonly singleExperience?: boolean;
};

const header = encode({ alg: 'HS256', typ: 'JWT' });

/** Signs claims as a compact JWS with HMAC SHA-256 (RFC 7515). */
export function signToken(secret: string, claims: Claims): string {
  const content = `${header}.${encode(claims)}`;
  return `${content}.${sign(secret, content)}`;
}

/** Checks a token (signature by this secret, kind, expiry) and gives its claims; undefined when it is not valid. */
export function verifyToken(secret: string, token: string, typ: Claims['typ'], now: Date): Claims | undefined {
  const [head, body, signature, ...rest] = token.split('.');
  // Comparing the header as text leaves no way to choose another algorithm.
  if (head !== header || body === undefined || signature === undefined || rest.length > 0) return undefined;
  const expected = Buffer.from(sign(secret, `${head}.${body}`));
  const actual = Buffer.from(signature);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
  return claims.typ === typ && claims.exp * 1000 > now.getTime() ? claims : undefined;
}

/** Reads the bearer token from an Authorization header; '' where there is none. */
export function readToken(authorization = ''): string {
  return /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1] ?? '';
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function sign(secret: string, content: string): string {
  return createHmac('sha256', secret).update(content).digest('base64url');
}
