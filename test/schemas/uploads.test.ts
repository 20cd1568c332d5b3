import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { compiler } from '../fixtures/compiler.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';

const schemas = withEditedSchemas();
const form = 'imports/import-file-form.json';
const operations = 'users/import-operations.json';
const screen = 'users/import-users.json';

/** What is wrong with the documents after an edit of one of them. */
async function problemsAfter(file: string, change: (text: string) => string): Promise<string> {
  let before = '';
  await schemas.edit(file, text => {
    before = text;
    return change(text);
  });
  const problems = await checkFolder(schemas.folder, commandDeclarations, compiler);
  await schemas.edit(file, () => before);
  return problems.map(formatProblem).join('\n');
}

const wrong: readonly [rule: string, file: string, change: (text: string) => string, said: string][] = [
  [
    'a form with a file is taken by an upload alone',
    operations,
    text => text.replace('"upload": true,', ''),
    'The form "import-file" has a file, which only an operation with "upload": true takes.',
  ],
  [
    'an upload names the form that asks for its file',
    operations,
    text => text.replace('"body": "import-file",', ''),
    'What takes a file names in "body" the form that asks for it.',
  ],
  [
    'an upload takes one file',
    operations,
    text => text.replace('"body": "import-file"', '"body": "new-user"'),
    'The form "new-user" of an upload asks for one file.',
  ],
  [
    'what else the form of an upload asks for is passed as a parameter',
    'usage/usage-files.json',
    text => text.replace('"rate": "form.Rate"', '"rate": { "value": "1" }'),
    'The field "Rate" of the form "usage-file" would be lost: pass "form.Rate" in "with".',
  ],
  [
    'a file is not optional',
    form,
    text => text.replace('"mandatory": true', '"mandatory": false'),
    'The file of the form "import-file" is not mandatory.',
  ],
  [
    'a file says which media types it may have',
    form,
    text => text.replace(/"types": \[[^\]]*\],?/, ''),
    'A file field needs "types".',
  ],
  [
    'a media type is one of those whose endings are known',
    form,
    text => text.replace('text/csv', 'text/html'),
    'An entry of "types" cannot be "text/html"',
  ],
  [
    'a file is not larger than what the portal passes on',
    form,
    text => text.replace(/"maxBytes": \d+/, '"maxBytes": 99999999999'),
    '"maxBytes"',
  ],
  [
    'what is no file has no media types',
    'users/new-user-form.json',
    text => text.replace('"propertyName": "FirstName"', '"propertyName": "FirstName", "types": ["text/csv"]'),
    'Only a file field takes "types".',
  ],
  [
    'what is no file is not chosen several at once',
    'users/new-user-form.json',
    text => text.replace('"propertyName": "FirstName"', '"propertyName": "FirstName", "files": 3'),
    'Only a file field takes "files".',
  ],
  [
    'a file is not optional, as its form sends nothing else',
    form,
    text => text.replace('"mandatory": true', '"mandatory": false'),
    'A file field is mandatory',
  ],
  ['several files are two or more', form, text => text.replace('"maxBytes":', '"files": 1, "maxBytes":'), '"files"'],
  [
    'a file is read by no data source',
    operations,
    text => text.replace(/("users\.checkImport"[\s\S]*?"method": )"POST"/, '$1"GET"'),
    'What takes a file is a write of an upstream.',
  ],
  [
    'the file comes from the form that was sent',
    screen,
    text => text.replace(/("operation": "users\.checkImport",)/, '$1 "body": { "File": { "value": "x" } },'),
    'The file is chosen in the form of the call, and comes from nowhere else.',
  ],
];

for (const [rule, file, change, said] of wrong)
  test(rule, async () => {
    const found = await problemsAfter(file, change);
    assert.ok(found.includes(said), found);
  });

test('what an operation gives may be a file of any media type', async () => {
  const any = (type: string) => (text: string) => text.replace('"file": "text/csv"', `"file": "${type}"`);
  assert.equal(await problemsAfter(operations, any('application/vnd.oasis.opendocument.spreadsheet')), '');
  assert.match(await problemsAfter(operations, any('CSV')), /"file"/);
});
