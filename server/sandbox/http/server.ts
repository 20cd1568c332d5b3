import { randomUUID } from 'node:crypto';
import { Ajv, type ValidateFunction } from 'ajv';
import fastJson from 'fast-json-stringify';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { asConflict, CloudError, notFound } from './errors.ts';
import { formats } from './formats.ts';
import type { App } from './schema.ts';
import { asRefusal } from './validation.ts';

/** A reply is written and not judged: what a body must match is no part of it, though both may have a field alike. */
const withoutPatterns = (schema: unknown): object =>
  JSON.parse(
    JSON.stringify(schema, (name, value) => (name === 'pattern' && typeof value === 'string' ? undefined : value)),
  );

/** Creates the HTTP server without routes: it parses and validates requests and answers errors. */
export function createServer(logLevel: string): App {
  const app = fastify({
    logger: { level: logLevel },
    // Nobody wants a line for each request, some of which name tokens.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
  });
  // A query is text and becomes numbers; a body says what it means.
  const lenient = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: true, strict: false, formats });
  const strict = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: false, strict: false, formats });
  // Most routes are never called before the next start, and compiling the schemas of all takes half of a start.
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined;
    return (value: unknown) => {
      compiled ??= (httpPart === 'body' ? strict : lenient).compile(schema as object);
      return compiled(value) ? true : { error: compiled.errors ?? [] };
    };
  });
  app.setSerializerCompiler(({ schema }) => {
    let write: ((reply: unknown) => string) | undefined;
    return reply => {
      write ??= fastJson(withoutPatterns(schema));
      return write(reply);
    };
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(refuse);
  app.setNotFoundHandler((request, reply) => refuse(notFound(), request, reply));
  return app as unknown as App;
}

/** Lets routes of this scope accept form bodies (application/x-www-form-urlencoded); other routes accept JSON alone. */
export function readForms(app: App): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, next) => {
    next(null, Object.fromEntries(new URLSearchParams(body as string)));
  });
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asCloudError(error);
  if (refusal === undefined) {
    request.log.error({ err: error }, 'unexpected');
    const messages = [`Something went wrong on our side. Reference number: ${request.id}.`];
    return reply.code(500).send({ Succeed: false, Error: 'Unexpected', Messages: messages });
  }
  const { code, fields, messages, refusals } = refusal;
  return reply.code(refusal.status).send({
    Succeed: false,
    Error: code,
    ...(fields && { Errors: fields }),
    ...(messages.length > 0 && { Messages: messages }),
    ...(refusals.length > 0 && { Refusals: refusals }),
  });
}

function asCloudError(error: unknown): CloudError | undefined {
  if (error instanceof CloudError) return error;
  const { validation, statusCode } = error as FastifyError;
  if (validation) return asRefusal(validation);
  // Fastify's own: a body that is too large, no JSON, or of another media type.
  if (statusCode !== undefined && statusCode < 500) {
    return new CloudError(statusCode, 'Invalid', [(error as FastifyError).message]);
  }
  // PostgreSQL's own: a text with U+0000.
  if ((error as { code?: unknown }).code === '22021')
    return new CloudError(400, 'Invalid', ['A text holds a character that cannot be stored.']);
  return asConflict(error);
}
