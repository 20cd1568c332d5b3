import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** Sources of a policy that this page may frame; '' for every page but a hosted one and the live chat. */
    framedSources: string;
    /** The source of the one style sheet that stands in this page; '' for none. */
    brandStyle: string;
    /** The policy of a page that has one of its own; '' for none. */
    ownPolicy: string;
  }
}

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

/**
 * What concerns data that is read by a script, or loaded by a document: it has no part that could load or run anything,
 * and headers that only rule documents would be bytes for nothing (OWASP REST Security Cheat Sheet, "Security headers").
 */
const ofData = {
  'content-security-policy':
    "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-content-type-options': always['x-content-type-options'],
  'cross-origin-resource-policy': always['cross-origin-resource-policy'],
  'cache-control': always['cache-control'],
};

/** Addresses of scripts, styles and icons, which have the headers of data. */
const isFile = /^\/(?:assets\/|start\.js(?:\?|$))/;
/** Addresses of logos, which may not even run as documents of this origin; an SVG may have its own style attributes. */
const isLogo = /^\/brand\//;
const ofLogo = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

type Headers = Readonly<Record<string, string>>;

/**
 * Gives the security headers of pages (`always`) and of data (`ofData`). With `https` browsers are told to use HTTPS
 * only.
 */
export function securityHeaders(https: boolean): { readonly always: Headers; readonly ofData: Headers } {
  const more = https ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {};
  return { always: { ...always, ...more }, ofData: { ...ofData, ...more } };
}

/** The policy of a page with what it frames, and with the style sheet of a brand. */
function policyOf(
  plain: string,
  { framedSources, brandStyle }: Pick<FastifyReply, 'framedSources' | 'brandStyle'>,
): string {
  const styled = brandStyle === '' ? plain : plain.replace("style-src 'self'", `style-src 'self' ${brandStyle}`);
  return framedSources === '' ? styled : `${styled}; frame-src ${framedSources}`;
}

/**
 * Sets the security headers on every reply as it leaves; only `cache-control` can be set by a route. Scripts and styles
 * get those of data. Failures (failures.ts) and replies past Fastify (raw-reply.ts) set theirs themselves.
 */
export function addSecurityHeaders(app: FastifyInstance, { always, ofData }: ReturnType<typeof securityHeaders>): void {
  app.decorateReply('framedSources', '');
  app.decorateReply('brandStyle', '');
  app.decorateReply('ownPolicy', '');
  app.addHook('onSend', ({ url }, reply, _payload, done) => {
    const { 'cache-control': unlessSaid = 'no-store', ...fixed } = isFile.test(url) ? ofData : always;
    reply.headers(fixed);
    if (isLogo.test(url)) reply.header('content-security-policy', ofLogo);
    if (reply.framedSources !== '' || reply.brandStyle !== '')
      reply.header('content-security-policy', policyOf(fixed['content-security-policy'] as string, reply));
    if (reply.ownPolicy !== '') reply.header('content-security-policy', reply.ownPolicy);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', unlessSaid);
    done();
  });
}
