import type { FastifyInstance } from 'fastify';
import { readOperationText } from '../commands/operation.ts';
import { PortalError } from '../errors.ts';
import { isAutomatic } from './callers.ts';
import type { RouteParts } from './parts.ts';

/** GET /ui/data/{operation}: reads for a data source, the parameters in the query. */
export function addDataRoute(app: FastifyInstance, { services, answers }: RouteParts): void {
  app.get<{ Params: { operation: string }; Querystring: Record<string, string | string[]> }>(
    '/ui/data/:operation',
    { schema: { tags: ['data'], summary: 'The reply of an operation, cut to what the caller is shown.' } },
    async (request, reply) => {
      const { caller, params, query } = request;
      for (const name in query)
        if (typeof query[name] !== 'string')
          throw new PortalError('PARAMETER_INVALID', { detail: 'a parameter is given twice' });
      const { status, text } = await readOperationText(services, caller, {
        operation: params.operation,
        parameters: query,
        automatic: isAutomatic(request),
      });
      return answers.sendJson(reply, status, text);
    },
  );
}
