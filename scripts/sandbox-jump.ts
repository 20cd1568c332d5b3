import { parseArgs } from 'node:util';
import { openSandbox, stop } from './running-sandbox.ts';

// npm run sandbox:jump -- --as admin@contoso.test: prints an address at which one goes on as that user, once and within
// a minute. `--by` is who really acts. The portal of this folder must be running with its sandbox.
const { values } = parseArgs({
  options: { as: { type: 'string' }, by: { type: 'string', default: 'reseller@northwind.test' } },
});

const { as = stop('Say whom to go on as: --as admin@contoso.test'), by } = values;
const { PORT = '3000', PUBLIC_URL = `http://localhost:${PORT}` } = process.env;
const post = await openSandbox(by);
const { CmToken: cmtoken, AdminId: adminid } = (await post('/api/jumps', 'application/json', {
  body: JSON.stringify({ UserName: as }),
})) as { CmToken: string; AdminId: string };
process.stdout.write(`${new URL(`/jump?${new URLSearchParams({ cmtoken, adminid })}`, PUBLIC_URL)}\n`);
