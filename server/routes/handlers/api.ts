import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openFile, readOperation, writeOperation } from '../../calls/operation.ts';
import type { CloudReply } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { checkBody } from '../../operations/check-body.ts';
import { notPermitted } from '../../operations/not-permitted.ts';
import { writeApiDocument } from '../replies/api-document.ts';
import { readPressKey } from '../replies/call-request.ts';
import { addCloudProxy } from '../replies/cloud-proxy.ts';
import { createKeyCallerOf, type KeyCaller } from '../replies/key-caller.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';
import { sendFile } from '../replies/send-file.ts';
import { type GivenQuery, parametersIn } from './data.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the routes that programs call by a key. */
    keyCaller: KeyCaller;
  }
  interface FastifyContextConfig {
    /** Called by programs with a key in the header Authorization; cookies are not looked at. */
    byKey?: boolean;
  }
}

type Asked = { readonly operation: string };
type Body = Readonly<Record<string, unknown>>;
const body = { type: ['object', 'null'], maxProperties: 500 } as const;

/**
 * Adds the operations that programs call by a key (document 2, section 7, Manage API): GET /api/v1/{operation} reads, POST
 * acts, GET /api/v1/files/{operation} gives a file, and /api/v1/openapi.json describes what the key opens. A key opens
 * what it was made for, as far as its creator may do that now.
 */
export function addApiRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { services } = parts;
  const keyCallerOf = createKeyCallerOf(parts);

  void app.register(async scope => {
    scope.decorateRequest('caller', null as unknown as FastifyRequest['caller']);
    scope.decorateRequest('keyCaller', null as unknown as KeyCaller);
    scope.addHook('onRoute', route => {
      route.config = { ...route.config, byKey: true };
    });
    scope.addHook('onRequest', async request => {
      request.keyCaller = await keyCallerOf(request);
      request.caller = request.keyCaller.caller;
    });

    scope.get('/api/v1/openapi.json', { schema: { hide: true } }, async ({ keyCaller }) =>
      writeApiDocument(keyCaller, services.ownOrigin()),
    );

    scope.get<{ Params: Asked; Querystring: GivenQuery }>(
      '/api/v1/:operation',
      { schema: { tags: ['api'], summary: 'Reads, by a key, what its creator may read.' } },
      async ({ keyCaller, caller, params: { operation }, query }, reply) => {
        permit(keyCaller, operation, 'GET');
        return sendEnvelope(
          reply,
          await readOperation(services, caller, { operation, parameters: parametersIn(query) }),
        );
      },
    );

    addCloudProxy(scope, {
      prefix: '/api/v1/files',
      method: 'GET',
      schema: { tags: ['api'], summary: 'The file of an operation, by a key, at most 32 MiB.' },
      async answer({ keyCaller, caller, id, params, query }, reply, send, signal) {
        const { operation } = params as Asked;
        const { file: type = '' } = permit(keyCaller, operation, 'FILE').operation;
        const asked = { operation, parameters: parametersIn(query as GivenQuery), signal };
        const file = await openFile(services, caller, asked, send);
        if (!('bytes' in file)) return sendEnvelope(reply, file);
        return sendFile(services, reply, file, { type, operation, reference: id, signal });
      },
    });

    scope.post<{ Params: Asked; Querystring: GivenQuery; Body: Body | null | undefined }>(
      '/api/v1/:operation',
      { schema: { tags: ['api'], summary: 'Does, by a key, what its creator may do.', body } },
      async (request, reply) => {
        const { keyCaller, caller, params, query, body: given } = request;
        const { operation } = params;
        const { fields } = permit(keyCaller, operation, 'POST').capability;
        if (!fields && Object.keys(given ?? {}).length > 0)
          throw new PortalError('BAD_REQUEST', { detail: 'no body is taken' });
        const checked = fields && checkBody(fields, given ?? {}, caller);
        const press = readPressKey(request);
        const asked = { operation, parameters: parametersIn(query), body: checked, press };
        return sendEnvelope(reply, await writeOperation(services, caller, asked));
      },
    );
  });
}

/** Gives what a key may do with an operation. @throws {PortalError} NOT_PERMITTED, whatever it lacks */
function permit({ caller, operations }: KeyCaller, name: string, way: 'GET' | 'POST' | 'FILE') {
  const found = operations.get(name);
  const method = way === 'FILE' ? 'GET' : way;
  const isFile = found?.operation.file !== undefined;
  if (found?.method !== method || isFile !== (way === 'FILE'))
    throw notPermitted(caller, `${method} ${name.slice(0, 80)} by a key`);
  return found;
}

/** Effects are for pages. */
function sendEnvelope(
  reply: FastifyReply,
  { status, envelope: { effects: _, ...envelope } }: CloudReply,
): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(envelope));
}
