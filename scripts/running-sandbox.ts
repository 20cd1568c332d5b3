import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoPassword } from '../server/sandbox-process.ts';

/** Ends a script with a message and exit code 1. */
export function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function ask(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const reply = await fetch(url, { method: 'POST', ...init }).catch(() => stop(`Nothing answers at ${url}.`));
  const body = (await reply.json()) as Record<string, unknown>;
  const said = (body.Messages ?? [body.error_description]) as string[];
  return reply.ok ? body : stop(said.join('\n') || `${url} answered ${reply.status}.`);
}

/**
 * Signs in at the sandbox of the portal that runs in this folder.
 * @returns a function that sends a body to a path and gives the reply's Result; a refusal ends the script with its
 * message
 */
export async function openSandbox(username: string) {
  const { DATA_DIR = 'data' } = process.env;
  const sandbox = await readFile(join(DATA_DIR, 'sandbox.url'), 'utf8').catch(() =>
    stop(`No sandbox is running with the data folder ${DATA_DIR}.`),
  );
  const { access_token: token } = await ask(`${sandbox}/auth/token`, {
    body: new URLSearchParams({ grant_type: 'password', username, password: demoPassword }),
  });
  return async (path: string, type: string, init: Pick<RequestInit, 'body'>) => {
    const headers = { authorization: `Bearer ${token}`, 'actor-id': username, 'content-type': type };
    const { Result } = await ask(`${sandbox}${path}`, { headers, ...init });
    return Result as Readonly<Record<string, unknown>>;
  };
}
