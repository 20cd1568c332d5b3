import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the text stands that the bench edits, and the address of a screen that shows it. */
export const editedText = { file: 'text/en/bench.json', key: 'note', route: '/bench/1' } as const;

/**
 * Fills `folder` with the project's layout documents and generated ones until there are about `count`: screens with a
 * table, each with a popup and the form in it.
 */
export async function writeDocuments(schemas: string, folder: string, count: number): Promise<void> {
  await cp(schemas, folder, { recursive: true });
  await mkdir(join(folder, 'bench'), { recursive: true });
  const entries = await readdir(folder, { recursive: true });
  const own = entries.filter(file => file.endsWith('.json') && !file.startsWith('meta')).length;
  const write = (file: string, document: object): Promise<void> =>
    writeFile(join(folder, file), JSON.stringify(document, null, 2));
  await write(editedText.file, benchTexts('first'));
  const missing = count - own - 2;
  if (missing < 3) throw new Error(`The project has ${own} documents of its own: ${count} leave none to generate.`);
  const operations: Record<string, object> = {};
  for (let set = 0; set * 3 < missing; set++) {
    // The last set may be cut short: then its screen stands alone.
    const isWhole = set * 3 + 2 < missing;
    const parts = isWhole
      ? { screen: screen(set, true), popup: popup(set), form: form(set) }
      : { screen: screen(set, false) };
    for (const [name, document] of Object.entries(parts)) await write(`bench/${name}-${set}.json`, document);
    Object.assign(operations, operationsOf(set, isWhole));
  }
  await write('bench/operations.json', { $schema: '../meta/operations.schema.json', operations });
}

/** Gives the texts for the generated documents; `note` is the text that the benchmark edits. */
export function benchTexts(note: string): object {
  const words = ['title', 'search', 'edit', 'save', 'none', 'name', 'domain', 'users', 'invalid'];
  return {
    $schema: '../../meta/texts.schema.json',
    ...Object.fromEntries(words.map(word => [word, `The ${word}`])),
    [editedText.key]: note,
  };
}

// Names of operations have no digits.
const letters = (set: number): string => String(set).replace(/\d/g, digit => 'abcdefghij'[Number(digit)]!);
const listOf = (set: number): string => `bench.list-${letters(set)}`;
const saveOf = (set: number): string => `bench.save-${letters(set)}`;

const openPopup = (set: number): object => ({
  type: 'button',
  text: 'bench.edit',
  on: { press: [{ do: 'open-popup', popup: `bench-popup-${set}`, with: { id: { value: 'one' } } }] },
});

function screen(set: number, hasPopup: boolean): object {
  return {
    $schema: '../meta/screen.schema.json',
    id: `bench-${set}`,
    route: `/bench/${set}`,
    title: 'bench.title',
    requires: { userTypes: ['reseller'] },
    data: {
      list: { operation: listOf(set), with: { page: 'route.page', pageSize: 'route.size', search: 'route.search' } },
    },
    children: [
      { type: 'text', text: 'bench.note' },
      {
        type: 'toolbar',
        children: [{ type: 'search', path: 'route.search', label: 'bench.search', resets: ['route.page'] }],
      },
      {
        type: 'table',
        id: 'list',
        label: 'bench.title',
        rows: 'data.list.Result.Items',
        key: 'Id',
        empty: { title: 'bench.none' },
        paging: { page: 'route.page', size: 'route.size', sizes: [25, 50], total: 'data.list.Result.Total' },
        columns: [
          { title: 'bench.name', path: 'row.Name' },
          { title: 'bench.domain', path: 'row.Domain', requires: { permissions: ['addOrEditCustomers'] } },
          { title: 'bench.users', path: 'row.Users', format: 'number', requires: { prices: true } },
        ],
      },
      ...(hasPopup ? [openPopup(set)] : []),
    ],
  };
}

function popup(set: number): object {
  return {
    $schema: '../meta/popup.schema.json',
    id: `bench-popup-${set}`,
    requires: { userTypes: ['reseller'] },
    title: 'bench.edit',
    parameters: ['id'],
    children: [
      { type: 'text', text: 'bench.note' },
      {
        type: 'form',
        id: 'form',
        form: `bench-form-${set}`,
        submit: 'bench.save',
        on: {
          submit: [{ do: 'call', operation: saveOf(set), with: { id: 'popup.id' } }, { do: 'close-popup' }],
        },
      },
    ],
  };
}

function form(set: number): object {
  return {
    $schema: '../meta/form.schema.json',
    id: `bench-form-${set}`,
    fields: ['Name', 'Domain', 'Contact', 'Town', 'County', 'Country', 'Phone', 'Notes'].map(propertyName => ({
      type: 'field',
      propertyName,
      kind: 'text',
      label: 'bench.name',
      mandatory: propertyName === 'Name',
      regex: '^[A-Za-z ]*$',
      invalidMessage: 'bench.invalid',
      maxLength: 100,
    })),
  };
}

function operationsOf(set: number, isWhole: boolean): Readonly<Record<string, object>> {
  const list = {
    service: 'cloud',
    method: 'GET',
    path: '/api/customers',
    with: {
      page: { type: 'integer', minimum: 1 },
      pageSize: { type: 'integer', minimum: 1 },
      search: { type: 'string', maxLength: 100 },
    },
    reply: {
      Items: [
        {
          Id: 'id',
          Name: 'text',
          Domain: 'domain',
          Status: 'code:status',
          Users: 'count',
          Spend: 'money',
          Changed: 'time?',
        },
      ],
      Total: 'count',
      TotalIsExact: 'yes-no',
    },
  };
  const save = {
    service: 'cloud',
    method: 'POST',
    path: `/api/bench/${set}/{id}`,
    with: { id: { type: 'string', maxLength: 40 } },
    body: `bench-form-${set}`,
    audit: 'bench.saved',
  };
  return { [listOf(set)]: list, ...(isWhole && { [saveOf(set)]: save }) };
}
