import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { areas, missingFiles } from '../../scripts/mutation/areas.ts';
import { readMutants } from '../../scripts/mutation/places.ts';

test('every file of which mutants are drawn, and every test that guards it, is there', () => {
  assert.deepEqual(Object.keys(areas), ['trim', 'project', 'press', 'attempts', 'validation']);
  assert.deepEqual(missingFiles(), []);
});

test('a mutant changes one thing that is decided, and no type, import or name', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-mutants-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'tsconfig.json'), '{ "files": ["source.ts"], "compilerOptions": { "types": [] } }');
  const source = `import 'node:path';
type Kind = 'a' | 'b';
export function pick(list: readonly Kind[], most: number): object | undefined {
  if (list.length < most && list[0] === 'a') return undefined;
  note(list);
  return { 'a': list.filter(Boolean), b: true, c: list.toString() };
}
const note = (list: unknown): string => sql\`where \${list} <= 1\`;
`;
  await writeFile(join(folder, 'source.ts'), source);
  const found = readMutants(folder, ['source.ts']).get('source.ts') ?? [];
  assert.deepEqual(
    found.map(({ at, was, put }) => `${at.split(':')[0]}: ${was} becomes ${put}`),
    [
      "4: list.length < most && list[0] === 'a' becomes !(list.length < most && list[0] === 'a')",
      '4: && becomes ||',
      '4: < becomes <=',
      '4: === becomes !==',
      '4: 0 becomes 1',
      "4: 'a' becomes ''",
      '4: return undefined; becomes {}',
      '5: note(list); becomes {}',
      '6: list.filter(Boolean) becomes list',
      '6: true becomes false',
      '8:  <=  becomes  < ',
    ],
  );
  assert.equal(found.at(-1)?.at, '8:58');
  for (const { start, was } of found) assert.equal(source.slice(start, start + was.length), was);
});
