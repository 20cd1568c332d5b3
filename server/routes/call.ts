import type { FastifyInstance } from 'fastify';
import type { CallRequest } from '../../shared/contract/call.ts';
import { writeOperation } from '../calls/operation.ts';
import { authorisePress, checkPressed } from '../calls/press.ts';
import { notPermitted } from '../operations/not-permitted.ts';
import { callBody, readPressKey } from './call-request.ts';
import type { RouteParts } from './route-dependencies.ts';

/** POST /ui/call/{operation}: a write, pressed in a node of the caller's own layout. */
export function addCallRoute(app: FastifyInstance, { services, memory }: RouteParts): void {
  app.post<{ Params: { operation: string }; Body: CallRequest }>(
    '/ui/call/:operation',
    { schema: { tags: ['data'], summary: 'Calls an operation that a node names.', body: callBody } },
    async (request, reply) => {
      const { caller, params, body } = request;
      const { operation } = params;
      const capability = caller.access.writes.get(operation);
      if (!capability) throw notPermitted(caller, `call ${operation.slice(0, 80)}`);
      const press = authorisePress(caller, memory, { do: 'call', name: operation }, body);
      const checked = checkPressed(capability.fields, body.body, caller, press);
      const key = readPressKey(request);
      const { status, envelope } = await writeOperation(services, caller, {
        operation,
        parameters: body.with ?? {},
        body: checked,
        press: key,
      });
      return reply.code(status).type('application/json').send(JSON.stringify(envelope));
    },
  );
}
