import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type MeasuredCheck, measureCheck } from '../fixtures/measured-check.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { setUp } from '../fixtures/set-up.ts';

/** A document: what it is, its text, and what is said of it first. */
export type HostileDocument = readonly [what: string, text: string, said: string];

export const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));
const wrong = 'customers/wrong.json';

export const screen = (children: unknown, rest: object = {}): string =>
  JSON.stringify({
    ...{ $schema: '../meta/screen.schema.json', id: 'wrong', route: '/wrong', title: 'customers.title' },
    ...{ requires: { userTypes: ['reseller'] }, ...rest, children },
  });

/** Declares that a check refuses these documents in bounded time; gives the folder, and the check of all that is right. */
export function declareHostileChecks(documents: readonly HostileDocument[]) {
  const schemas = withEditedSchemas();
  /** The check of the project's own documents, as the measure of this machine. */
  let own: MeasuredCheck;
  setUp(async () => {
    own = await measureCheck(schemas.folder);
    assert.equal(own.code, 0, own.lines.join('\n'));
  });

  /** Checks the documents with one more, which has errors, within bounds of time, memory and words. */
  async function checkWith(file: string, text: string): Promise<string[]> {
    await writeFile(join(schemas.folder, file), text);
    const { code, lines, seconds, megabytes } = await measureCheck(schemas.folder);
    await rm(join(schemas.folder, file));
    assert.equal(code, 1, lines.slice(0, 3).join('\n'));
    assert.ok(seconds < own.seconds * 3, `${seconds} seconds of computing, where the others take ${own.seconds}`);
    assert.ok(megabytes < own.megabytes + 200, `${megabytes} MB, where the others take ${own.megabytes}`);
    assert.ok(lines.length <= 100, `${lines.length} lines`);
    // A line is not as long as the name that it is about.
    assertEvery(lines, line => line.length < 500);
    assert.match(lines.at(-1) ?? '', /: \d+ errors, \d+ warnings$/);
    return lines.slice(0, -1);
  }

  for (const [what, text, said] of documents)
    test(`a document ${what} is refused in bounded time, memory and words, which say where`, async () => {
      const lines = await checkWith(wrong, text);
      assert.ok(lines[0]?.startsWith(`${wrong}:`) && lines[0].includes(said), lines[0]);
    });

  return { schemas, ownCheck: () => own };
}
