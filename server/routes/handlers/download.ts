import type { FastifyInstance } from 'fastify';
import { openFile, permitFile } from '../../calls/operation.ts';
import { PortalError } from '../../errors.ts';
import { type Caller, sessionOf } from '../../operations/caller.ts';
import { addCloudProxy } from '../replies/cloud-proxy.ts';
import { onlyLooks } from '../replies/only-looks.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';
import { sendFile } from '../replies/send-file.ts';
import { type GivenQuery, parametersIn } from './data.ts';
import { isExportFile, sendExportFile } from './export-file.ts';

/** Whose a link is: of the session and of the user that it acts as. */
const ownerOf = (caller: Caller) => ({
  session: sessionOf({ caller }).key,
  owner: caller.principal.facts.identity,
});

/**
 * Adds POST /ui/downloads/{operation}, which gives a link to the file of an operation with its parameters in the query,
 * and GET /ui/downloads/{guid}, which gives the file once, to that session and user, within a second (document 2,
 * section 7).
 */
export function addDownloadRoutes(app: FastifyInstance, { services }: RouteParts): void {
  app.post<{ Params: { operation: string }; Querystring: GivenQuery }>(
    '/ui/downloads/:operation',
    { schema: { tags: ['data'], summary: 'A link to a file, good for one fetch within a second.' } },
    async ({ caller, params: { operation }, query }) => {
      const parameters = parametersIn(query);
      permitFile(caller, { operation, parameters });
      const Guid = await services.downloadLinks.create({ ...ownerOf(caller), operation, parameters });
      return { Succeed: true, Result: { Id: operation, Guid } };
    },
  );
  addCloudProxy(app, {
    prefix: '/ui/downloads',
    method: 'GET',
    schema: { tags: ['data'], summary: 'The file of a link, at most 32 MiB.' },
    async answer(asked, reply, send, signal) {
      const { caller, id } = asked;
      // The one part of the address is the guid here.
      const { operation: guid } = asked.params as { readonly operation: string };
      const owner = ownerOf(caller);
      if (onlyLooks(asked)) return reply.code(204).send();
      const link = await services.downloadLinks.take(guid, owner);
      if (!link) throw new PortalError('DOWNLOAD_LINK_ENDED');
      const { operation, parameters } = link;
      const type = caller.version.operations.get(operation)?.file ?? 'application/pdf';
      const request = { operation, parameters, signal };
      if (isExportFile(caller, operation))
        return await sendExportFile(services, caller, permitFile(caller, request), type, reply);
      const file = await openFile(services, caller, request, send);
      if (!('bytes' in file)) return reply.code(file.status).send(file.envelope);
      return sendFile(services, reply, file, { type, operation, reference: id, signal });
    },
  });
}
