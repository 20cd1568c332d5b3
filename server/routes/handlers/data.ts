import type { FastifyInstance } from 'fastify';
import { readOperation } from '../../calls/operation.ts';
import { PortalError } from '../../errors.ts';
import { isAutomatic } from '../replies/caller-of-request.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

export type GivenQuery = Readonly<Record<string, string | string[]>>;

/**
 * Reads the parameters from a query.
 * @throws {PortalError} PARAMETER_INVALID for one that is given twice
 */
export function parametersIn(query: GivenQuery): GivenQuery {
  for (const name in query)
    if (typeof query[name] !== 'string')
      throw new PortalError('PARAMETER_INVALID', { detail: 'a parameter is given twice' });
  return query;
}

/** Adds GET /ui/data/{operation}: the read of a data source, with its parameters in the query. */
export function addDataRoute(app: FastifyInstance, { services, answers }: RouteParts): void {
  app.get<{ Params: { operation: string }; Querystring: GivenQuery }>(
    '/ui/data/:operation',
    { schema: { tags: ['data'], summary: 'The reply of an operation, cut to what the caller is shown.' } },
    async (request, reply) => {
      const { caller, params, query } = request;
      const { status, envelope } = await readOperation(services, caller, {
        operation: params.operation,
        parameters: parametersIn(query),
        automatic: isAutomatic(request),
      });
      return answers.sendJson(reply, status, JSON.stringify(envelope));
    },
  );
}
