import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { compareWithAnew, editProject } from './edited-folders.ts';

test('after forty edits the documents of the project are what they would be, compiled anew', async () => {
  const sound = compareWithAnew(await editProject(11, 40), commandDeclarations);
  assert.ok(sound > 5 && sound < 35, `${sound} folders have no error`);
});
