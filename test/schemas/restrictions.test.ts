import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLayouts, formatProblem, type Layouts, type Problem } from '../../server/layouts/index.ts';
import { copySchemas, type EditedSchemas } from '../fixtures/edited-schemas.ts';

/** A rule on a field of a reply, as it stands in one of the project's operations. */
type Restriction = { readonly file: string; readonly operation: string; readonly path: string; readonly rule: string };
type Operations = { operations: Record<string, { reply?: Record<string, unknown> }> };

let schemas: EditedSchemas;
let layouts: Layouts;
const texts = new Map<string, string>();
const restrictions: Restriction[] = [];

before(async () => {
  schemas = await copySchemas();
  for (const name of await readdir(join(schemas.folder, 'operations'))) {
    const file = `operations/${name}`;
    const text = await readFile(join(schemas.folder, file), 'utf8');
    texts.set(file, text);
    for (const [operation, { reply = {} }] of Object.entries((JSON.parse(text) as Operations).operations))
      for (const [path, rule] of Object.entries(reply))
        restrictions.push({ file, operation, path, rule: JSON.stringify(rule) });
  }
  layouts = await createLayouts({ dir: schemas.folder, commands: commandDeclarations });
});
after(async () => {
  await layouts?.close();
  await schemas?.remove();
});

/** Saves other restrictions in place of some, and waits until the running loader says what is expected of them. */
async function save(
  changed: ReadonlyMap<Restriction, { readonly path: string; readonly rule: string }>,
  isRefused: (restriction: Restriction, problems: readonly Problem[]) => boolean,
): Promise<void> {
  for (const [file, text] of texts) {
    const document = JSON.parse(text) as Operations;
    for (const [name, operation] of Object.entries(document.operations)) {
      const own = restrictions.filter(each => each.file === file && each.operation === name);
      const rules = own.map(each => changed.get(each) ?? each);
      assert.equal(new Set(rules.map(({ path }) => path)).size, own.length, `two rules of ${name} have one path`);
      if (own.length > 0) operation.reply = Object.fromEntries(rules.map(({ path, rule }) => [path, `@${rule}@`]));
    }
    // A rule is put in as a text of its own, so that it may be no JSON at all.
    const written = JSON.stringify(document, null, 2).replace(/"@(.*)@"/g, (_, rule: string) =>
      JSON.parse(`"${rule}"`),
    );
    await writeFile(join(schemas.folder, file), written);
  }
  const letThrough = () => [...changed.keys()].filter(each => !isRefused(each, layouts.problems()));
  for (let tries = 0; letThrough().length > 0; tries++) {
    if (tries === 1000) {
      const open = letThrough().map(each => `${each.operation} ${changed.get(each)?.path} ${changed.get(each)?.rule}`);
      assert.fail(`Not refused: ${open.join(', ')}; said: ${layouts.problems().map(formatProblem).join(' ')}`);
    }
    await setTimeout(20);
  }
}

/** What runs has every rule as the project's operations have it. */
function assertAllHold(): void {
  const { operations } = layouts.current();
  for (const { operation, path, rule } of restrictions)
    assert.equal(JSON.stringify(operations.get(operation)?.reply?.[path]), rule, `${operation} ${path}`);
}

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[A-Za-z]/.test(sign);
const another = (letter: string): string => (letter.toLowerCase() === 'x' ? 'q' : 'x');
const mistakes = {
  'another letter': (text: string, at: number) => text.slice(0, at) + another(text[at] as string) + text.slice(at + 1),
  'a letter too few': (text: string, at: number) => text.slice(0, at) + text.slice(at + 1),
};

for (const [name, mistake] of Object.entries(mistakes)) {
  test(`a rule whose path has ${name} is refused when it is saved, and the path that was meant is named`, async () => {
    assert.ok(restrictions.length > 30, `only ${restrictions.length} rules were found`);
    let tried = 0;
    for (let at = 0; at < Math.max(...restrictions.map(({ path }) => path.length)); at++) {
      const wrong = restrictions.filter(({ path }) => isLetter(path[at]));
      if (wrong.length === 0) continue;
      const changed = new Map(wrong.map(each => [each, { ...each, path: mistake(each.path, at) }]));
      await save(changed, (each, problems) =>
        problems.some(
          ({ file, severity, message }) =>
            file === each.file &&
            severity === 'error' &&
            message.includes(`"${each.operation}"`) &&
            message.includes(`"${changed.get(each)?.path}"`) &&
            message.includes(`Did you mean "${each.path}"?`),
        ),
      );
      tried += changed.size;
      assertAllHold();
    }
    assert.ok(tried > 500, `only ${tried} mistakes were tried`);
  });
}

test('a rule with one letter wrong in what it asks for is refused when it is saved', async () => {
  const rules = new Set(restrictions.map(({ rule }) => rule));
  assert.ok(rules.size > 2);
  let tried = 0;
  for (const rule of rules) {
    const same = restrictions.filter(each => each.rule === rule);
    for (let at = 0; at < rule.length; at++) {
      if (!isLetter(rule[at])) continue;
      const written = mistakes['another letter'](rule, at);
      const [word = ''] = /[A-Za-z]*$/.exec(written.slice(0, at + 1)) ?? [];
      const said = rule.includes('true') && !written.includes('true') ? 'Not valid JSON' : word;
      const changed = new Map(same.map(each => [each, { ...each, rule: written }]));
      await save(changed, ({ file }, problems) =>
        problems.some(
          problem => problem.file === file && problem.severity === 'error' && problem.message.includes(said),
        ),
      );
      assertAllHold();
      tried += 1;
    }
  }
  assert.ok(tried > 50, `only ${tried} mistakes were tried`);
});
