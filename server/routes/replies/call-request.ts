import type { FastifyRequest } from 'fastify';
import { pressHeader } from '../../../shared/contract/envelope.ts';
import { PortalError } from '../../errors.ts';

const values = { type: 'object', maxProperties: 500 } as const;

/** Schema of the body of every call and command (shared/contract/call.ts). */
export const callBody = {
  type: 'object',
  required: ['node', 'layout'],
  additionalProperties: false,
  properties: {
    node: { type: 'string', minLength: 1, maxLength: 80, description: 'Id of the node that was pressed.' },
    layout: { type: 'string', minLength: 1, maxLength: 64, description: 'Hash of the layout it was pressed in.' },
    with: { ...values, description: 'Parameters by name.' },
    body: { ...values, description: 'What was typed, by field name.' },
  },
} as const;

/**
 * Reads the idempotency key of a press; undefined without one.
 * @throws {PortalError} BAD_REQUEST for a malformed key
 */
export function readPressKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[pressHeader];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[A-Za-z0-9-]{8,64}$/.test(key))
    throw new PortalError('BAD_REQUEST', { detail: 'key of the press' });
  return key;
}
