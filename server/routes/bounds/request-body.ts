import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takesLargeBody } from '../../calls/body-size.ts';
import { PortalError } from '../../errors.ts';
import type { Caller } from '../../operations/caller.ts';
import { beyondBounds } from '../../operations/json-bounds.ts';

type Bounds = { readonly bytes: number; readonly milliseconds: number };

/** What a form of signing in or a public link needs. */
const small: Bounds = { bytes: 8 * 1024, milliseconds: 10_000 };
/** What a form needs, and the draft of one. */
const ordinary: Bounds = { bytes: 128 * 1024, milliseconds: 10_000 };
/** What ten thousand keys need, or a list of a million letters. */
const large: Bounds = { bytes: 1024 * 1024, milliseconds: 30_000 };
/**
 * Of any body: no form of the portal needs a quarter of the levels, and a call has at most 500 parameters and as many
 * fields. What is long (ticked rows, a grid) is one text; whoever reads that bounds what is in it.
 */
const json = { depth: 64, values: 1024 };

function boundsOf(request: FastifyRequest): Bounds {
  const caller = request.caller as Caller | null | undefined;
  if (!caller?.session) return small;
  const { operation, command } = request.params as { operation?: string; command?: string };
  if (operation === undefined && command === undefined) return small;
  return takesLargeBody(caller, { operation, command }) ? large : ordinary;
}

/** Gives the text of a body that keeps its bounds in bytes and milliseconds. Throws TOO_LARGE and LATE, and what went wrong on the way. */
export function readText(payload: IncomingMessage, { bytes, milliseconds }: Bounds): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      clearTimeout(timer);
      payload.off('data', take).off('end', finish).off('error', fail).off('close', leave);
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const leave = (): void => fail(new PortalError('BAD_REQUEST', { detail: 'the body was cut off' }));
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > bytes) fail(new PortalError('TOO_LARGE', { detail: `more than ${bytes} bytes` }));
      else chunks.push(chunk);
    };
    const finish = (): void => {
      stop();
      resolve(Buffer.concat(chunks, length).toString('utf8'));
    };
    const timer = setTimeout(() => fail(new PortalError('LATE', { detail: `after ${length} bytes` })), milliseconds);
    payload.on('data', take).on('end', finish).on('error', fail).on('close', leave);
  });
}

/**
 * Reads the bodies of requests, each within bounds in bytes, time, depth and number of values before it is parsed:
 * parsing is what costs the process most, and nobody else is answered meanwhile. `arrived` is told when all of a body is here.
 */
export function readBodies(app: FastifyInstance, arrived: (request: FastifyRequest) => void): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const bounds = boundsOf(request);
    if (Number(request.headers['content-length'] ?? 0) > bounds.bytes)
      return done(new PortalError('TOO_LARGE', { detail: `more than ${bounds.bytes} bytes` }));
    readText(payload, bounds).then(text => {
      try {
        arrived(request);
        const beyond = beyondBounds(text, json);
        if (beyond) throw new PortalError('TOO_LARGE', { detail: `more ${beyond} than ${json[beyond]}` });
      } catch (error) {
        return done(error as Error);
      }
      parse(request, text, done);
    }, done);
  });
}
