import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SchemasCommand } from './command.ts';
import { describeReplies, type OpenApi } from './replies.ts';

const runningSandbox = (): Promise<string> =>
  readFile(path.join(process.env.DATA_DIR ?? 'data', 'sandbox.url'), 'utf8');

/** Writes the fields of the replies that `schemas check` and the portal check documents against. */
export const repliesCommand: SchemasCommand = {
  usage: [
    [
      'replies [cloud]',
      'write what the replies of a cloud hold, as its /openapi.json says; by default the sandbox that runs in this folder',
    ],
  ],
  async run([cloud]) {
    const reply = await fetch(new URL('/openapi.json', cloud ?? (await runningSandbox())));
    await writeFile('server/layouts/check/cloud-replies.json', describeReplies((await reply.json()) as OpenApi));
    return 0;
  },
};
