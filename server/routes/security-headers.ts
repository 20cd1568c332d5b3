import type { FastifyInstance } from 'fastify';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types portal-html',
].join('; ');

const always = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // What may be kept says so itself.
  'cache-control': 'no-store',
};

/** `https`: browsers are told to stay with it. */
export function securityHeaders(https: boolean): Readonly<Record<string, string>> {
  return https ? { ...always, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : always;
}

/**
 * Puts the headers on every reply as it leaves; only what may be kept can say something else. Replies that fail have
 * them from the start (failures.ts), and those that are written whole bring them along (answers.ts).
 */
export function addSecurityHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const { 'cache-control': unlessSaid = 'no-store', ...fixed } = headers;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.headers(fixed);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', unlessSaid);
    done();
  });
}
