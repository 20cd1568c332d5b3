import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { openSandbox, stop } from './running-sandbox.ts';

// npm run sandbox:usage -- FILE: loads a FOCUS cost and usage file (CSV) as usage of a customer, all of it or nothing.
// `--customer` is its OrganisationId, `--rate` what one of the file's currency is in that of the reseller, `--shift`
// moves all days so that the newest is yesterday. The portal of this folder must be running with its sandbox.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    customer: { type: 'string', default: '10001' },
    rate: { type: 'string' },
    shift: { type: 'boolean', default: false },
    by: { type: 'string', default: 'reseller@northwind.test' },
  },
});

const [file = stop('Say which file to load: npm run sandbox:usage -- usage.csv')] = positionals;
const { customer, rate, shift, by } = values;
// Of a file that is not there it throws at once.
const body = await Promise.resolve(file)
  .then(openAsBlob)
  .catch(() => stop(`The file ${file} cannot be read.`));
const post = await openSandbox(by);
const query = new URLSearchParams({ name: basename(file).slice(0, 200), shift: String(shift), ...(rate && { rate }) });
const path = `/api/customers/${encodeURIComponent(customer)}/usage/files?${query}`;
const { Added, Rows, From, To, Spend } = await post(path, 'text/csv', { body });
process.stdout.write(
  Added
    ? `${Rows} rows from ${From} to ${To} were loaded, ${Spend} in all.\n`
    : `This file was loaded before: nothing has changed.\n`,
);
