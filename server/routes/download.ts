import type { FastifyInstance } from 'fastify';
import { openFile } from '../calls/operation.ts';
import { type GivenQuery, parametersIn } from './data.ts';
import { contentDisposition, fileName } from './files.ts';
import type { RouteParts } from './route-dependencies.ts';

/** GET /ui/downloads/{operation}: the file that an operation gives, the parameters in the query. */
export function addDownloadRoute(app: FastifyInstance, { services }: RouteParts): void {
  app.get<{ Params: { operation: string }; Querystring: GivenQuery }>(
    '/ui/downloads/:operation',
    { schema: { tags: ['data'], summary: 'A file of the cloud, at most 32 MiB.' } },
    async ({ caller, params, query }, reply) => {
      const { operation } = params;
      const file = await openFile(services, caller, { operation, parameters: parametersIn(query) });
      if (!('bytes' in file)) return reply.code(file.status).send(file.envelope);
      const type = caller.version.operations.get(operation)?.file ?? 'application/pdf';
      return reply
        .headers({ 'content-disposition': contentDisposition(fileName(file.name, type)) })
        .type(type)
        .send(file.bytes);
    },
  );
}
