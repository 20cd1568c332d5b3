import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallRequest } from '../../../shared/contract/call.ts';
import { runCommand } from '../../calls/run-command.ts';
import { callBody, readPressKey } from '../replies/call-request.ts';
import { keepCookies } from '../replies/kept-cookies.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/** Adds POST /ui/command/{command} and POST /auth/{stage}, which run a command. */
export function addCommandRoutes(app: FastifyInstance, { services, memory, organisation }: RouteParts): void {
  const run = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const press = readPressKey(request);
    const {
      status = 200,
      envelope,
      ...kept
    } = await runCommand(services, memory, request.caller, {
      name,
      request: request.body as CallRequest,
      press,
    });
    keepCookies(reply, kept, organisation);
    return reply.code(status).type('application/json').send(JSON.stringify(envelope));
  };
  app.post<{ Params: { command: string }; Body: CallRequest }>(
    '/ui/command/:command',
    { schema: { tags: ['data'], summary: 'Runs a command that a node names.', body: callBody } },
    (request, reply) => run(request, reply, request.params.command),
  );
  app.post<{ Params: { stage: string }; Body: CallRequest }>(
    '/auth/:stage',
    { schema: { tags: ['session'], summary: 'Runs a stage of signing in.', body: callBody } },
    (request, reply) => run(request, reply, `auth.${request.params.stage}`),
  );
}
