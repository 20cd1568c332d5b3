import type { FastifyInstance } from 'fastify';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import { PortalError } from '../../errors.ts';
import { createRate } from '../../session/rate-limit.ts';
import { isPartnerLink } from '../../session/visitor-brands.ts';
import { lastingCookieOptions, partnerCookieName } from '../replies/cookie.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/** Logos that are kept in memory: each is of some kilobytes, at most of a hundred. */
const mostKept = 100;
/** Logos that one network may have read from the cloud in a minute; a browser keeps each for ever. */
const readsPerMinute = 60;

/**
 * Adds GET /brand/{hash}.png and .svg: a logo, which the cloud has made harmless, from the portal's own origin. Its name
 * is the hash of its content, so that browsers keep it for ever. Opened by itself it may neither run nor load anything
 * (`sandbox`).
 */
export function addBrandLogoRoute(app: FastifyInstance, { services }: Pick<RouteParts, 'services'>): void {
  const kept = new Map<string, { readonly type: string; readonly content: Buffer }>();
  const reads = createRate(readsPerMinute);

  app.get<{ Params: { file: string } }>('/brand/:file', { schema: { hide: true } }, async (request, reply) => {
    const [, id = '', ending] = /^([A-Za-z0-9_-]{43})\.(png|svg)$/.exec(request.params.file) ?? [];
    let logo = kept.get(id);
    if (!logo && id !== '') {
      const network = networkOf(request.ip);
      if (!reads.take(network)) throw new PortalError('TOO_MANY');
      logo = await services.brands.logo(id, network);
      if (logo) kept.set(id, logo);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
    }
    if (!logo || (logo.type === 'image/png') !== (ending === 'png')) throw new PortalError('NOT_FOUND');
    return reply.header('cache-control', 'public, max-age=31536000, immutable').type(logo.type).send(logo.content);
  });
}

/**
 * Adds GET /with/{link}, a partner's link: from then on this browser sees the partner's brand before it is signed in. An
 * unknown link takes it off again. It decides how pages look and nothing else.
 */
export function addPartnerLinkRoute(app: FastifyInstance, { visitorBrands }: Pick<RouteParts, 'visitorBrands'>): void {
  app.get<{ Params: { link: string } }>('/with/:link', { schema: { hide: true } }, async (request, reply) => {
    const link = request.params.link.toLowerCase();
    const isKnown = isPartnerLink(link) && (await visitorBrands.exists({ link }, request.ip));
    if (isKnown) void reply.setCookie(partnerCookieName, link, lastingCookieOptions);
    else void reply.clearCookie(partnerCookieName, lastingCookieOptions);
    return reply.redirect('/', 302);
  });
}
