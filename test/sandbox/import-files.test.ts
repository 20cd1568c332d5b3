import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { customerImport } from '../../server/sandbox/customers/import.ts';
import { CloudError } from '../../server/sandbox/http/errors.ts';
import type { Import } from '../../server/sandbox/imports/declaration.ts';
import { readRows, readTable } from '../../server/sandbox/imports/file.ts';
import { userImport } from '../../server/sandbox/users/import.ts';

/** The people that a file of users is read as, by line. */
const people = (file: string | Buffer) => {
  const { table, places } = readTable(userImport, Buffer.from(file as string));
  return readRows(userImport, table, places).map(
    ({ line, first_name, last_name, email }) => `${line} ${first_name} ${last_name} ${email}`,
  );
};

/** Gives what of a file is recognised: its head, the places of columns, and what keeps it from being read. */
const recognised = <C extends object>(declared: Import<C>, file: string) => {
  const { table, places, missing } = readTable(declared, Buffer.from(file));
  return { head: table.head.join(), places, missing };
};

/** What a file is refused with. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof CloudError && error.status === 400, String(error));
    return error.messages[0] ?? '';
  }
  return assert.fail('read');
}

test('files of other programs are read by the heads that these write', () => {
  const ada = 'Ada Grey ada@contoso.test';
  const files: [program: string, file: string, line: number][] = [
    [
      'Google',
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Mobile Phone\nAda,Grey,ada@contoso.test,,',
      2,
    ],
    [
      'Entra',
      'version:v1.0\nName [displayName] Required,User name [userPrincipalName] Required,Block sign in (Yes/No) [accountEnabled] Required,First name [givenName],Last name [surname]\nAda Grey,ada@contoso.test,No,Ada,Grey',
      3,
    ],
    ['Microsoft 365', 'Username,First name,Last name,Display name,Job title\nada@contoso.test,Ada,Grey,Ada Grey,', 2],
    ['an export of Entra', 'userPrincipalName,displayName,surname,givenName\nada@contoso.test,Ada,Grey,Ada', 2],
    ['a spreadsheet of other locales', 'sep=;\r\nFirst name;Last name;Email\r\nAda;Grey;ada@contoso.test', 3],
    ['a spreadsheet that quotes', '"sep=|"\nFirst name|Last name|Email\nAda|Grey|ada@contoso.test', 3],
    ['a title above', 'Staff; by name\n\nFirst name;Last name;Email\nAda;Grey;ada@contoso.test', 4],
    ['a blank first line', '\r\nFirst name,Last name,Email\r\nAda,Grey,ada@contoso.test', 3],
  ];
  for (const [program, file, line] of files) assert.deepEqual(people(file), [`${line} ${ada}`], program);
});

test('every encoding of a spreadsheet is recognised, with a mark and without', () => {
  const text = 'First name,Last name,Email\nZoë,Müller,zoe@contoso.test';
  const wide = Buffer.from(text, 'utf16le');
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text, 'latin1'),
    wide,
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(wide).swap16(),
    Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  ])
    assert.deepEqual(people(bytes), ['2 Zoë Müller zoe@contoso.test']);
});

test('what is no text is named', () => {
  const of = (bytes: Buffer) => refusal(() => people(bytes));
  assert.match(of(gzipSync('First name,Last name,Email\n')), /compressed/);
  assert.match(of(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1')), /a workbook/);
  assert.match(of(Buffer.from('PAR1 and more')), /a Parquet file/);
  assert.match(of(Buffer.from('\xff\xfe\0\0F\0\0\0', 'latin1')), /UTF-32/);
  assert.match(of(Buffer.from('PK\x03\x04[Content_Types].xml')), /a workbook or an archive/);
  assert.match(of(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3])), /no CSV file/);
});

test('no character is lost unsaid: a file of two encodings, of none, or that has lost some, is refused by its line', () => {
  const head = 'First name,Last name,Email\n';
  const of = (...rows: Buffer[]) => refusal(() => people(Buffer.concat([Buffer.from(head), ...rows])));
  const row = (name: string, encoding: 'utf8' | 'latin1') => Buffer.from(`Ada,${name},ada@contoso.test\n`, encoding);
  assert.equal(of(row('Zoë', 'utf8'), row('Zoë', 'latin1')), 'Line 3 is not in UTF-8, as the lines before it are.');
  assert.match(of(row('Grey', 'utf8'), row('Zo\x81', 'latin1')), /^Line 3 is neither in UTF-8 nor in Windows-1252\./);
  assert.match(of(row('Zo\ufffd', 'utf8')), /^Line 2 has a character that was lost/);
  const wide = Buffer.from(`\uFEFF${head}Ada,Grey,ada@contoso.test\n`, 'utf16le');
  for (const damaged of [wide.subarray(0, -1), Buffer.concat([wide, Buffer.from([0x00, 0xd8, 0x0a, 0x00])])])
    assert.match(
      refusal(() => people(damaged)),
      /^This file is in UTF-16, and damaged/,
    );
  assert.deepEqual(
    people(Buffer.from(`${head}Ada,€ – ’,ada@contoso.test`.replace('€ – ’', '\x80 \x96 \x92'), 'latin1')),
    ['2 Ada € – ’ ada@contoso.test'],
  );
});

test('a fault is told with its line and column', () => {
  const of = (row: string) => refusal(() => people(`First name,Last name,Email\nAda,Grey,ada@contoso.test\n${row}`));
  assert.match(of('Ann,Grey "The Great",ann@contoso.test'), /^Line 3, column 2: a quote stands inside a value\./);
  assert.match(of('"Ann "Annie"",Grey,ann@contoso.test'), /^Line 3, column 1: text follows a closing quote\./);
  assert.match(of('Ann,Grey,"ann@contoso.test'), /^Line 3, column 3: a value opens a quote/);
  assert.match(of(`${'x'.repeat(20_000)},Grey,ann@contoso.test`), /^Line 3, column 1: the line is too long/);
});

test('of two columns of one meaning neither is chosen, also where one of them is empty', () => {
  const { places, missing } = recognised(
    customerImport,
    'Name,Company,Domain,Contact,Email\nAda,Ash,ash.test,Ada,ada@ash.test',
  );
  assert.deepEqual(places, { domain: 2, contact: 3, email: 4 });
  assert.equal(missing, 'The columns "Name" and "Company" both mean Customer name. Keep one of them.');
  assert.equal(
    recognised(userImport, 'First name,Last name,Email,Email\nAda,Grey,,ada@contoso.test').missing,
    'The columns "Email" and "Email" both mean Email address. Keep one of them.',
  );
});

test('a file with columns of other names keeps what is recognised, and its head below any title', () => {
  assert.deepEqual(recognised(userImport, 'Staff of May\n\nVorname;Nachname;Email\nAda;Grey;ada@contoso.test'), {
    head: 'Vorname,Nachname,Email',
    places: { email: 2 },
    missing: 'The file has no column First name, Last name.',
  });
});

test('a file with fewer columns than are needed is refused', () => {
  assert.equal(
    refusal(() => people('Vorname;Email\nAda;ada@contoso.test')),
    'The file has no column First name, Last name.',
  );
});

test('any bytes are read or refused with a sentence', () => {
  const piece = fc.constantFrom('"', ',', ';', '\n', '\r\n', '\t', 'sep=;\n', 'First name', 'Email', 'é', '\0', ' ');
  const file = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map(pieces => Buffer.from(pieces.join(''))),
    fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(file, bytes => {
      try {
        people(bytes);
      } catch (error) {
        assert.ok(error instanceof CloudError && error.status === 400, String(error));
      }
    }),
    { numRuns: 300 },
  );
});
