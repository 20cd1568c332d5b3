import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { openSandbox, stop } from './running-sandbox.ts';

// npm run sandbox:usage -- FILE: loads a FOCUS cost and usage file (CSV) as usage of a customer, all of it or nothing. It
// replaces what the same source said of the same days; `--preview` only says what it would change, and keeps the file for
// a day, to be loaded at the customer's usage files. `--undo ID` takes a file back.
// `--customer` is its OrganisationId, `--rate` what one of the file's currency is in that of the reseller, `--shift`
// moves all days so that the newest is yesterday. The portal of this folder must be running with its sandbox.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    customer: { type: 'string', default: '10001' },
    rate: { type: 'string' },
    shift: { type: 'boolean', default: false },
    preview: { type: 'boolean', default: false },
    undo: { type: 'string' },
    by: { type: 'string', default: 'reseller@northwind.test' },
  },
});

const { customer, rate, shift, preview, undo, by } = values;
const files = `/api/customers/${encodeURIComponent(customer)}/usage/files`;

if (undo === undefined) await load();
else {
  const post = await openSandbox(by);
  await post(`${files}/${encodeURIComponent(undo)}/undo`, 'application/json', { body: '{}' });
  process.stdout.write(`File ${undo} was taken back.\n`);
}

async function load(): Promise<void> {
  const [file = stop('Say which file to load: npm run sandbox:usage -- usage.csv')] = positionals;
  // Of a file that is not there it throws at once.
  const body = await Promise.resolve(file)
    .then(openAsBlob)
    .catch(() => stop(`The file ${file} cannot be read.`));
  const post = await openSandbox(by);
  const options = { name: basename(file).slice(0, 200), shift: String(shift), preview: String(preview) };
  const query = new URLSearchParams({ ...options, ...(rate && { rate }) });
  const { FileId, Rows, From, To, Spend, Added, Replaced, Unchanged, Gone, Change } = await post(
    `${files}?${query}`,
    'text/csv',
    { body },
  );
  process.stdout.write(
    `${Rows} rows from ${From} to ${To}, ${Spend} in all: ${Added} charges added, ${Replaced} replaced, ` +
      `${Unchanged} unchanged, ${Gone} gone; ${Change} more than before.\n` +
      (preview
        ? `Nothing was changed; file ${FileId} waits for a day.\n`
        : `To take it back: npm run sandbox:usage -- --undo ${FileId}\n`),
  );
}
