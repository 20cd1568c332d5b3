import type { FastifyRequest } from 'fastify';

/** True for a request of a browser or proxy that wants nothing yet: it looks, or fetches ahead of a press. */
export const onlyLooks = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  method === 'HEAD' ||
  [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].some(
    said => typeof said === 'string' && /prefetch|prerender|preview/i.test(said),
  );
