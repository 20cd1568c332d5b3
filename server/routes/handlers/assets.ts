import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '../../errors.ts';
import type { ClientFiles } from '../replies/client-files.ts';
import { compressOnce, takesBrotli } from '../replies/compression.ts';

/** The files of a folder, as they are, to everyone. */
async function addFolder(app: FastifyInstance, prefix: string, options: FastifyStaticOptions): Promise<void> {
  await app.register(
    async scope => {
      scope.setNotFoundHandler(() => {
        throw new PortalError('NOT_FOUND');
      });
      await scope.register(fastifyStatic, { decorateReply: false, dotfiles: 'deny', schemaHide: true, ...options });
    },
    { prefix },
  );
}

/**
 * Serves the built files of the browser code. Their names change with their content, so browsers may keep them for
 * ever.
 */
export async function addAssets(app: FastifyInstance, client: ClientFiles | undefined): Promise<void> {
  if (!client) return;
  const start = readFileSync(join(client.folder, 'start.js'));
  app.get('/start.js', { schema: { hide: true } }, async (request, reply) => {
    // Asked for by its hash it may be kept, though another build answers: all do the same.
    const isNamed = (request.query as { v?: string }).v !== undefined;
    void reply
      .header('cache-control', isNamed ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .type('text/javascript; charset=utf-8');
    if (!takesBrotli(reply)) return reply.send(start);
    return reply.header('content-encoding', 'br').send(await compressOnce(start));
  });
  await addFolder(app, '/assets', {
    root: join(client.folder, 'assets'),
    preCompressed: true,
    index: false,
    cacheControl: false,
    // Their names stand for their content: no browser asks whether they have changed, and a page is drawn from several.
    ...{ etag: false, lastModified: false, acceptRanges: false },
    setHeaders: reply => void reply.setHeader('cache-control', 'public, max-age=31536000, immutable'),
  });
}

/** Serves the reference of the layout language at /docs; nothing without a configured `folder`. */
export async function addDocs(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder !== undefined) await addFolder(app, '/docs', { root: folder, redirect: true });
}
