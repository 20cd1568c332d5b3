import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '../errors.ts';
import type { ClientFiles } from './client-files.ts';

/** The built files of the browser side; their names change with their content, so they may be kept for ever. */
export async function addAssets(app: FastifyInstance, client: ClientFiles | undefined): Promise<void> {
  if (!client) return;
  await app.register(
    async scope => {
      scope.setNotFoundHandler(() => {
        throw new PortalError('NOT_FOUND');
      });
      await scope.register(fastifyStatic, {
        root: join(client.folder, 'assets'),
        decorateReply: false,
        preCompressed: true,
        index: false,
        dotfiles: 'deny',
        cacheControl: false,
        schemaHide: true,
        setHeaders: reply => void reply.setHeader('cache-control', 'public, max-age=31536000, immutable'),
      });
    },
    { prefix: '/assets' },
  );
}
