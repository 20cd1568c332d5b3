import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { benchActivity } from './bench/activity.ts';
import { benchAttack } from './bench/attack.ts';
import { benchBilling } from './bench/billing.ts';
import { benchBrowser } from './bench/browser.ts';
import { benchCustomers } from './bench/customers.ts';
import { benchPayments } from './bench/payments.ts';
import { benchPeople } from './bench/people.ts';
import { isWithin, type Measure, printMeasures } from './bench/report.ts';
import { benchRolesEditor } from './bench/roles-editor.ts';
import { benchSave } from './bench/save.ts';
import { benchSchemasCheck } from './bench/schemas-check.ts';
import { benchServer } from './bench/server.ts';
import { benchSupport } from './bench/support.ts';
import { benchUsage } from './bench/usage.ts';
import type { Weight } from './build/byte-budget.ts';

// npm run bench: everything. npm run bench -- browser server: those parts. Needs a build; run it on a quiet machine.
const root = join(import.meta.dirname, '..');
const parts: Readonly<Record<string, () => Promise<Measure[]>>> = {
  bytes: async () => bytes(),
  schemas: () => benchSchemasCheck(root),
  customers: benchCustomers,
  activity: benchActivity,
  billing: benchBilling,
  usage: benchUsage,
  browser: () => benchBrowser(root),
  save: () => benchSave(root),
  server: () => benchServer(root),
  attack: benchAttack,
  payments: benchPayments,
  people: benchPeople,
  support: benchSupport,
  roles: () => benchRolesEditor(root),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter(name => !parts[name]);
if (unknown.length) {
  console.error(`Unknown: ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
process.chdir(root);
const busy = loadavg()[0]! / availableParallelism();
if (busy > 0.5) console.log('This machine is busy with other work; figures in milliseconds will be too high.');
let isOver = false;
for (const [name, run] of Object.entries(parts)) {
  if (chosen.length && !chosen.includes(name)) continue;
  try {
    const measures = await run();
    console.log(`\n${name}\n${printMeasures(measures)}`);
    isOver ||= !measures.every(isWithin);
  } catch (error) {
    console.error(`\n${name}\nwas not measured: ${error instanceof Error ? error.message : String(error)}`);
    isOver = true;
  }
}
process.exit(isOver ? 1 : 0);

function bytes(): Measure[] {
  const { weights } = JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')) as { weights: Weight[] };
  return weights.map(({ what, bytes: measured, limit }) => ({ what, measured, limit, unit: 'bytes' }));
}
