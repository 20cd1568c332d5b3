import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CallRequest, callHeader } from '../../../shared/contract/call.ts';
import { kindsOf } from '../../../shared/language/file-types.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { uploadFile } from '../../calls/operation.ts';
import { authorisePress, layoutChanged } from '../../calls/press.ts';
import { type ErrorCode, PortalError } from '../../errors.ts';
import type { Caller } from '../../operations/caller.ts';
import { speechFor } from '../../operations/check-body.ts';
import { notPermitted } from '../../operations/not-permitted.ts';
import { createCounts } from '../../session/count-by-key.ts';
import { boundBody } from '../bounds/bounded-body.ts';
import { readPressKey } from '../replies/call-request.ts';
import { addCloudProxy } from '../replies/cloud-proxy.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/** Files that one account may be sending at once. */
const mostOfAccount = 3;
/** Milliseconds between two parts of a file. */
const patience = 10_000;

/**
 * Reads what a call says besides its file: node, layout and parameters, as percent-encoded JSON in a header.
 * @throws {PortalError} BAD_REQUEST
 */
function readCall({ headers }: FastifyRequest): CallRequest {
  try {
    const {
      node,
      layout,
      with: parameters = {},
      ...others
    } = JSON.parse(decodeURIComponent(String(headers[callHeader])));
    const isRight = typeof node === 'string' && typeof layout === 'string' && Object.keys(others).length === 0;
    if (isRight && parameters !== null && typeof parameters === 'object') return { node, layout, with: parameters };
  } catch {
    // It is no JSON, or not there.
  }
  throw new PortalError('BAD_REQUEST', { detail: `header ${callHeader}` });
}

/** The refusal of a file, in words beside its field. */
function refusalOf(caller: Caller, { propertyName, types = [], maxBytes }: FieldNode) {
  const { word, format } = speechFor(caller);
  return (code: ErrorCode, what: 'type' | 'large' | 'empty'): PortalError => {
    const said = word(`file.${what}`, { kinds: kindsOf(types), size: format(maxBytes, 'bytes') });
    return new PortalError(code, { errors: { [propertyName]: [said] } });
  };
}

/** Adds POST /ui/uploads/{operation}: streams one file to the cloud, chosen in a form of the caller's own layout. */
export function addUploadRoute(app: FastifyInstance, { services, memory }: RouteParts): void {
  const underWay = createCounts();

  addCloudProxy(app, {
    prefix: '/ui/uploads',
    method: 'POST',
    schema: { tags: ['data'], summary: 'Sends one file to an operation.' },
    async answer(request, reply, send, signal) {
      const { caller, headers } = request;
      const { operation: name } = request.params as { readonly operation: string };
      const capability = caller.access.writes.get(name);
      if (!capability || !caller.session) throw notPermitted(caller, `send a file to ${name.slice(0, 80)}`);
      if (!caller.version.operations.get(name)?.upload)
        throw new PortalError('BAD_REQUEST', { detail: 'takes no file' });
      const call = readCall(request);
      const press = authorisePress(caller, memory, { do: 'call', name }, call);
      const field = capability.fields?.find(({ kind }) => kind === 'file');
      if (!field) throw layoutChanged(press.layout);
      const { types = [], maxBytes = 0 } = field;
      const refusal = refusalOf(caller, field);
      const type = types.find(known => known === headers['content-type']?.split(';')[0]?.trim().toLowerCase());
      if (!type || headers['content-encoding'] !== undefined) throw refusal('MEDIA_TYPE', 'type');
      const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
      if (length !== undefined && length > maxBytes) throw refusal('TOO_LARGE', 'large');
      // Fastify hands no body on where there is none.
      if (!request.body) throw refusal('FIELDS_INVALID', 'empty');
      const { account } = caller.session;
      if (underWay.of(account) >= mostOfAccount) throw new PortalError('TOO_MANY', { detail: 'files of an account' });
      const bytes = boundBody(request.body as IncomingMessage, {
        bytes: maxBytes,
        milliseconds: patience,
        refuse: why => (why === 'large' ? refusal('TOO_LARGE', why) : refusal('FIELDS_INVALID', why)),
      });
      // What the proxy sends.
      request.body = bytes;
      underWay.add(account);
      try {
        const { status, envelope } = await uploadFile(
          services,
          caller,
          { operation: name, parameters: call.with ?? {}, press: readPressKey(request), signal },
          { type, length, bytes },
          send,
        );
        // The proxy would close it on a browser that is still sending.
        reply.removeHeader('connection');
        return reply.code(status).type('application/json').send(JSON.stringify(envelope));
      } finally {
        underWay.drop(account);
        bytes.destroy();
      }
    },
  });
}
