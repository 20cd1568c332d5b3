import type { FastifyInstance } from 'fastify';
import { sendText } from '../replies/compression.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';
import { writeScreen } from '../replies/screen-reply.ts';

const querystring = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: { type: 'string', maxLength: 4000, description: 'Pathname and query of the screen.' },
    have: { type: 'string', maxLength: 64, description: 'Hash of the layout that the browser holds.' },
  },
} as const;

/** Adds GET /ui/screen: layout and first data of an address, to open a screen in one round trip. */
export function addScreenRoute(app: FastifyInstance, parts: RouteParts): void {
  app.get<{ Querystring: { path: string; have?: string } }>(
    '/ui/screen',
    {
      schema: {
        tags: ['screens'],
        summary: 'A screen: its layout and first data, or where to go instead.',
        querystring,
      },
    },
    async ({ caller, query }, reply) => {
      const found = await writeScreen(parts, caller, query.path, query.have);
      return sendText(reply.type('application/json'), 'redirect' in found ? JSON.stringify(found) : found.json);
    },
  );
}
