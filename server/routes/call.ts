import type { FastifyInstance } from 'fastify';
import type { CallRequest } from '../../shared/contract/call.ts';
import type { FieldNode } from '../../shared/language/types.ts';
import type { Caller } from '../commands/caller.ts';
import { checkBody } from '../commands/fields.ts';
import { writeOperation } from '../commands/operation.ts';
import { notPermitted } from '../commands/parameters.ts';
import { judgePress, layoutChanged, type Press } from '../commands/press.ts';
import { PortalError } from '../errors.ts';
import { callBody, readPressKey } from './call-request.ts';
import type { RouteParts } from './parts.ts';

/** What goes on is what was checked; an operation without a form takes nothing. */
function checkCallBody(
  fields: readonly FieldNode[] | undefined,
  body: CallRequest['body'],
  caller: Caller,
  press: Press,
): unknown {
  if (!fields) {
    if (body && Object.keys(body).length > 0)
      throw new PortalError('BAD_REQUEST', { detail: 'the operation takes no body' });
    return undefined;
  }
  try {
    return checkBody(fields, body ?? {}, caller);
  } catch (error) {
    // What an older page asked for may not be what is asked now: it is shown, not blamed on the user.
    if (press.isOld) throw layoutChanged(press.layout);
    throw error;
  }
}

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
      const press = judgePress(caller, memory, { do: 'call', name: operation }, body);
      const checked = checkCallBody(capability.fields, body.body, caller, press);
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
