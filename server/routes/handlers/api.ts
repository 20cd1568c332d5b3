import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readOperation, writeOperation } from '../../calls/operation.ts';
import type { CloudReply } from '../../cloud/call.ts';
import { PortalError } from '../../errors.ts';
import { checkBody } from '../../operations/check-body.ts';
import { notPermitted } from '../../operations/not-permitted.ts';
import { writeApiDocument } from '../replies/api-document.ts';
import { readPressKey } from '../replies/call-request.ts';
import { createKeyCallerOf, type KeyCaller } from '../replies/key-caller.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';
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
 * acts, and /api/v1/openapi.json describes what the key opens. A key opens what it was made for, as far as its creator may
 * do that now.
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
        return send(reply, await readOperation(services, caller, { operation, parameters: parametersIn(query) }));
      },
    );

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
        return send(reply, await writeOperation(services, caller, asked));
      },
    );
  });
}

/** Gives what a key may do with an operation. @throws {PortalError} NOT_PERMITTED, whatever it lacks */
function permit({ caller, operations }: KeyCaller, name: string, method: 'GET' | 'POST') {
  const found = operations.get(name);
  if (found?.method !== method) throw notPermitted(caller, `${method} ${name.slice(0, 80)} by a key`);
  return found;
}

/** Effects are for pages. */
function send(reply: FastifyReply, { status, envelope: { effects: _, ...envelope } }: CloudReply): FastifyReply {
  return reply.code(status).type('application/json').send(JSON.stringify(envelope));
}
