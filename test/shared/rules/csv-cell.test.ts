import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeResults } from '../../../client/nodes/bulk/results-csv.ts';
import { writeCsv } from '../../../server/exports/csv.ts';
import { sendCsv } from '../../../server/sandbox/http/csv.ts';
import { neutraliseCell, originalCell } from '../../../shared/rules/csv-cell.ts';

/** Texts, and the cells that a spreadsheet of any locale shows as text. */
const cells = [
  ['Contoso', 'Contoso'],
  ['a, "b"', '"a, ""b"""'],
  ['=1+1', "'=1+1"],
  ['  @SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['x;=1+1', `"x;'=1+1"`],
  ['x; "-2', `"x;' ""-2"`],
  ['x;', `"x;'"`],
  ['x\r\n=1+1\ty', 'x =1+1 y'],
] as const;

const texts = cells.map(([text]) => text);
const expected = `\uFEFF${cells.map(([, cell]) => cell).join(',')}\r\n`;

/** The file that the cloud would send. */
function sentByCloud(): string {
  let sent = '';
  const reply = { type: () => reply, header: () => reply, send: (file: string) => (sent = file) };
  sendCsv(reply as never, 'file', [texts]);
  return sent;
}

for (const [writer, write] of [
  [
    'exported tables',
    async () => await (await writeCsv({ titles: texts, pages: (async function* () {})() })).toArray(),
  ],
  ['the cloud', async () => [sentByCloud()]],
  ['results of bulk actions', async () => [writeResults([texts])]],
] as const) {
  test(`no text becomes a formula in a CSV file of ${writer}`, async () => {
    assert.equal((await write()).join(''), expected);
  });
}

test('a text that was written so that no spreadsheet computes it is read as it was', () => {
  for (const text of texts.filter(one => !/^\s|[\r\n\t]/.test(one)))
    assert.equal(originalCell(neutraliseCell(text)), text);
  assert.equal(originalCell("'quoted' by hand"), "'quoted' by hand");
});
