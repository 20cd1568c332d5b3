import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoPassword } from '../server/sandbox-process.ts';

// npm run sandbox:jump -- --as admin@contoso.test: prints an address at which one goes on as that user, once and within
// a minute. `--by` is who really acts. The portal of this folder must be running with its sandbox.
const { values } = parseArgs({
  options: { as: { type: 'string' }, by: { type: 'string', default: 'reseller@northwind.test' } },
});

function stop(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

async function ask(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const reply = await fetch(url, { method: 'POST', ...init }).catch(() => stop(`Nothing answers at ${url}.`));
  const body = (await reply.json()) as Record<string, unknown>;
  const [said] = (body.Messages ?? [body.error_description]) as string[];
  return reply.ok ? body : stop(said ?? `${url} answered ${reply.status}.`);
}

const { as = stop('Say whom to go on as: --as admin@contoso.test'), by } = values;
const { DATA_DIR = 'data', PORT = '3000', PUBLIC_URL = `http://localhost:${PORT}` } = process.env;
const sandbox = await readFile(join(DATA_DIR, 'sandbox.url'), 'utf8').catch(() =>
  stop(`No sandbox is running with the data folder ${DATA_DIR}.`),
);
const { access_token: token } = await ask(`${sandbox}/auth/token`, {
  body: new URLSearchParams({ grant_type: 'password', username: by, password: demoPassword }),
});
const { Result } = await ask(`${sandbox}/api/jumps`, {
  headers: { authorization: `Bearer ${token}`, 'actor-id': by, 'content-type': 'application/json' },
  body: JSON.stringify({ UserName: as }),
});
const { CmToken: cmtoken, AdminId: adminid } = Result as { CmToken: string; AdminId: string };
process.stdout.write(`${new URL(`/jump?${new URLSearchParams({ cmtoken, adminid })}`, PUBLIC_URL)}\n`);
