import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CompletionItem, Diagnostic, Hover, Location, Range, WorkspaceEdit } from 'vscode-languageserver';
import { openClient, serveDocuments } from '../fixtures/language-client.ts';
import { peopleMistakes } from '../fixtures/people-mistakes.ts';
import { programOf } from '../fixtures/program.ts';
import { withStarted } from '../fixtures/set-up.ts';
import { peopleScreen, peopleTable, shortTexts } from '../fixtures/short-folder.ts';
import { nextEvent } from '../fixtures/wait.ts';

const screen = 'people/people.json';
const client = withStarted(
  'The language server',
  () => serveDocuments(shortTexts()),
  ({ close }) => close(),
);

/** Reads a range of a text. */
function wordAt(text: string, { start, end }: Range): string {
  const lines = text.split('\n');
  const last = start.line === end.line ? end.character : undefined;
  return (lines[start.line] as string).slice(start.character, last);
}

const textOf = (json: object): string => JSON.stringify(json, null, 2);

for (const { what, file, json, word } of peopleMistakes)
  test(`a wrong word is underlined, alone in its document: ${what}`, async () => {
    const text = textOf(json);
    const found = await client.show(file, text);
    await client.hide(file);
    const words = found.map(({ range }) => wordAt(text, range));
    assert.ok(words.includes(word), `${words.join(', ')}\n${found.map(({ message }) => message).join('\n')}`);
  });

/** Shows a text with a cursor (|) in it, and gives what a request about this place is about. */
async function showAt(file: string, marked: string) {
  const offset = marked.indexOf('|');
  const lines = marked.slice(0, offset).split('\n');
  await client.show(file, marked.replace('|', ''));
  const position = { line: lines.length - 1, character: lines.at(-1)!.length };
  return { textDocument: { uri: client.address(file) }, position };
}

/** The words that are offered at the cursor in the screen of the small folder, with something of it replaced. */
async function offered(from: string, to: string): Promise<readonly string[]> {
  const written = textOf(peopleScreen());
  const place = await showAt(screen, written.replace(from, to));
  const found = await client.connection.sendRequest<CompletionItem[]>('textDocument/completion', place);
  return found.map(({ label }) => label.replace(/^"(.*)"$/, '$1'));
}

test('paths are completed by what the data source, the list and the address hold', async () => {
  assert.deepEqual(
    (await offered('"data.people.Items"', '"data.people.|"')).filter(word => !word.includes('$')),
    ['data.people.Items', 'data.people.Total', 'data.people.Owner'],
  );
  const ofRow = ['Id', 'Name', 'Users', 'Spend', 'Address'];
  assert.deepEqual((await offered('"Users"', '"|"')).slice(0, ofRow.length), ofRow);
  assert.ok((await offered('"Users"', '"|"')).includes('principal'));
  assert.deepEqual(await offered('"Users"', '"row.Address.|"'), ['row.Address.Town']);
});

test('a document that ends where somebody types is completed by what stands before', async () => {
  const written = textOf(peopleScreen());
  const typed = written.slice(0, written.indexOf('"Users"'));
  const place = await showAt(screen, `${typed}"Us|`);
  const found = await client.connection.sendRequest<CompletionItem[]>('textDocument/completion', place);
  assert.ok(found.some(({ label }) => label === 'Users'));
});

test('names of operations, texts, popups, requirements and orders are completed, and kinds of nodes and properties', async () => {
  const first = await offered('"people.list"', '"people|"');
  assert.deepEqual(first.slice(0, 3), ['people.list', 'people.rename', 'operation']);
  assert.ok((await offered('"people.go"', '"|"')).includes('people.go'));
  assert.deepEqual(await offered('"rename"', '"|"'), ['rename']);
  assert.deepEqual(await offered('"requires": "staff"', '"requires": "|"'), ['staff']);
  assert.deepEqual(await offered('"sort": "Name"', '"sort": "|"'), ['Name', '-Name']);
  assert.deepEqual((await offered('"route.sort",', '{ "sort": "-N|" },')).slice(0, 2), ['Name', '-Name']);
  assert.deepEqual(await offered('"route.sort",', '{ "sort": "|-Name" },'), ['Name', '-Name']);
  assert.ok((await offered('"table"', '"|"')).includes('chart'));
  assert.ok((await offered('"button"', '"|": 1, "button"')).includes('icon'));
  assert.ok((await offered('"button"', '"icon": "|", "button"')).includes('pen'));
});

/** Asks for the help at the word behind a snippet of the screen of the small folder. */
async function said(before: string): Promise<string> {
  const place = await showAt(screen, textOf(peopleScreen()).replace(before, `${before}|`));
  const found = await client.connection.sendRequest<Hover>('textDocument/hover', place);
  return (found.contents as { value?: string }).value ?? String(found.contents);
}

test('a word says what it stands for: an operation what it takes and answers, a text its words, a property its meaning', async () => {
  const operation = await said('"people.list');
  assert.match(operation, /^people\.list {2}GET \/people\n/);
  assert.match(operation, /parameters: page\?, pageSize\?, sort\?\n/);
  assert.match(operation, /for: staff \(userTypes reseller\)\nanswers: \{"Items":/);
  assert.equal(await said('"button": "people.go'), 'people.go\nen: Go');
  assert.equal(await said('"Users'), 'people.list.Items.Users: count');
  assert.equal(await said('"requires": "sta'), 'staff: userTypes reseller');
  assert.match(await said('"paging'), /^Pages that the operation cuts/);
});

/** The places that a request about the word behind a snippet gives: file and the word there. */
async function places(request: string, before: string): Promise<readonly string[]> {
  const place = await showAt(screen, textOf(peopleScreen()).replace(before, `${before}|`));
  const context = { includeDeclaration: true };
  const found = await client.connection.sendRequest<Location[]>(`textDocument/${request}`, { ...place, context });
  return found.map(({ uri, range }) => {
    const file = uri.slice(client.address('').length + 1);
    return `${file}: ${wordAt(shortTexts().get(file) ?? '', range)}`;
  });
}

test('a word leads to where it is declared', async () => {
  assert.deepEqual(await places('definition', '"people.list'), ['people/operations.json: people.list']);
  assert.deepEqual(await places('definition', '"button": "people.go'), ['text/en/people.json: go']);
  assert.deepEqual(await places('definition', '"Users'), ['people/operations.json: Users']);
  assert.deepEqual(await places('definition', '"data.peo'), [`${screen}: people`]);
  assert.deepEqual(await places('definition', '"data.people.Ite'), ['people/operations.json: Items']);
  assert.deepEqual(await places('definition', '"requires": "staff'), ['access.json: staff']);
});

test('a word leads to all that name the same, also by a name alone', async () => {
  assert.deepEqual(await places('references', '"Users'), ['people/operations.json: Users', `${screen}: Users`]);
  assert.deepEqual(await places('references', '"open-popup": "rename'), ['people/rename.json: ', `${screen}: rename`]);
});

test('a text and a field are renamed everywhere, and what cannot be renamed is refused with its reason', async () => {
  const renamed = async (before: string, newName: string): Promise<ReadonlyMap<string, string>> => {
    const place = await showAt(screen, textOf(peopleScreen()).replace(before, `${before}|`));
    const edit = await client.connection.sendRequest<WorkspaceEdit>('textDocument/rename', { ...place, newName });
    return new Map(
      edit.documentChanges!.map(change => {
        assert.ok('textDocument' in change && 'newText' in change.edits[0]!);
        return [change.textDocument.uri.slice(client.address('').length + 1), change.edits[0].newText];
      }),
    );
  };
  const texts = await renamed('"button": "people.go', 'people.begin');
  assert.deepEqual([...texts.keys()], [screen, 'text/en/people.json']);
  assert.match(texts.get(screen)!, /"button": "people\.begin"/);
  const fields = await renamed('"Users', 'Accounts');
  assert.deepEqual([...fields.keys()], ['people/operations.json', screen]);
  assert.match(fields.get('people/operations.json')!, /"Accounts": "count"/);
  await assert.rejects(
    renamed('"button": "people.go', 'people.name'),
    /Nothing was renamed\. "people\.name" is there already/,
  );
  await assert.rejects(
    renamed('"requires": "staff', 'crew'),
    /Texts, operations, parts and fields of replies are renamed/,
  );
});

test('what changes on disk is told in every file, and goes with the mistake', async () => {
  await client.hide(screen);
  const file = join(client.folder, screen);
  const right = await readFile(file, 'utf8');
  const wrong = textOf(peopleScreen({ children: [peopleTable({ table: 'data.poeple.Items' })] }));
  await writeFile(file, wrong);
  const [first] = (await client.underlined(screen, found =>
    found.some(({ message }) => String(message).includes('poeple')),
  )) as [Diagnostic];
  assert.equal(wordAt(wrong, first.range), 'poeple');
  await writeFile(file, right);
  assert.deepEqual(await client.underlined(screen, found => found.length === 0), []);
});

test('the command serves the documents of the product over stdin and stdout until the editor ends it', async () => {
  const { file, execArgv } = programOf('scripts/schemas.ts');
  const server = spawn(process.execPath, [...execArgv, file, 'lsp', 'schemas'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { connection, show } = await openClient('schemas', [server.stdout, server.stdin], async () => undefined);
  const name = 'customers/customers.json';
  const text = await readFile(join('schemas', name), 'utf8');
  const wrong = text.replace('customers.list', 'customers.lits');
  assert.notEqual(wrong, text);
  const [first] = (await show(name, wrong)) as [Diagnostic];
  assert.equal(wordAt(wrong, first.range), 'customers.lits');
  const closed = nextEvent(server, 'close');
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  assert.deepEqual(await closed, [0, null]);
});
