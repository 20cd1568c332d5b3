import type { FastifyInstance } from 'fastify';
import { openFile, permitFile } from '../../calls/operation.ts';
import { addCloudProxy } from '../replies/cloud-proxy.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';
import { type GivenQuery, parametersIn } from './data.ts';
import { isExportFile, sendExportFile } from './export-file.ts';
import { contentDisposition, fileName } from './files.ts';

/** Adds GET /ui/downloads/{operation}: the file that an operation gives, with its parameters in the query. */
export function addDownloadRoute(app: FastifyInstance, { services }: RouteParts): void {
  addCloudProxy(app, {
    prefix: '/ui/downloads',
    method: 'GET',
    schema: { tags: ['data'], summary: 'A file of the cloud, or one made in the background, at most 32 MiB.' },
    async answer({ caller, params, query, id }, reply, send, signal) {
      const { operation } = params as { readonly operation: string };
      const parameters = parametersIn(query as GivenQuery);
      const type = caller.version.operations.get(operation)?.file ?? 'application/pdf';
      const request = { operation, parameters, signal };
      if (isExportFile(caller, operation))
        return await sendExportFile(services, caller, permitFile(caller, request), type, reply);
      const file = await openFile(services, caller, request, send);
      if (!('bytes' in file)) return reply.code(file.status).send(file.envelope);
      const { name, length, bytes } = file;
      bytes.once('error', ({ message }) => {
        if (!signal.aborted) services.log.warn({ reference: id, operation, reason: message }, 'a file broke off');
      });
      return reply
        .code(200)
        .headers({
          'content-disposition': contentDisposition(fileName(name, type)),
          ...(length !== undefined && { 'content-length': length }),
        })
        .type(type)
        .send(bytes);
    },
  });
}
