import type { FastifyInstance } from 'fastify';
import type { CallRequest } from '../../../shared/contract/call.ts';
import { authoriseHostedPage } from '../../calls/hosted-page.ts';
import { writeOperation } from '../../calls/operation.ts';
import { authorisePress, checkPressed } from '../../calls/press.ts';
import { PortalError } from '../../errors.ts';
import { orDeclined } from '../../operations/cloud-refusal.ts';
import { notPermitted } from '../../operations/not-permitted.ts';
import { callBody, readPressKey } from '../replies/call-request.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/** Adds POST /ui/call/{operation}: a write, which a node of the caller's own layout must offer. */
export function addCallRoute(app: FastifyInstance, { services, memory }: RouteParts): void {
  app.post<{ Params: { operation: string }; Body: CallRequest }>(
    '/ui/call/:operation',
    { schema: { tags: ['data'], summary: 'Calls an operation that a node names.', body: callBody } },
    async (request, reply) => {
      const { caller, params, body } = request;
      const { operation } = params;
      const capability = caller.access.writes.get(operation);
      if (!capability) throw notPermitted(caller, `call ${operation.slice(0, 80)}`);
      if (caller.version.operations.get(operation)?.upload)
        throw new PortalError('BAD_REQUEST', { detail: 'takes a file (upload.ts)' });
      const press = authorisePress(caller, memory, { do: 'call', name: operation }, body);
      const checked = checkPressed(capability.fields, body.body, caller, press);
      const key = readPressKey(request);
      const declared = caller.version.operations.get(operation);
      if (declared?.hostedPage) {
        const asked = { name: operation, operation: declared, parameters: body.with ?? {} };
        const { envelope } = await orDeclined(
          authoriseHostedPage({ caller, services, press: key }, asked, checked).then(opened => ({
            status: 200,
            envelope: opened,
          })),
        );
        return envelope;
      }
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
