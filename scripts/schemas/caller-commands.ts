import { parseArgs } from 'node:util';
import { defaultFolder, listOf, type SchemasCommand, tell } from './command.ts';
import { explainDocument } from './explain.ts';
import { listScreens } from './list.ts';

/** The folder, if one is named, and the caller that the options describe. */
function readCaller(args: readonly string[]) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { as: { type: 'string' }, screen: { type: 'string' }, without: { type: 'string' } },
  });
  const { as, screen, without } = values;
  return { folder: positionals[0] ?? defaultFolder(), as, screen, without: listOf(without) };
}

/** Lists the screens of one user type, or of all. */
export const listCommand: SchemasCommand = {
  usage: [
    ['list [folder]', 'the screens of all user types, side by side'],
    ['list [folder] -- --as engineer', 'the screens of one of them'],
  ],
  async run(args) {
    const { folder, as, without } = readCaller(args);
    return tell(folder, compiled => listScreens(compiled, as, without));
  },
};

/** Says of each part of one document why a caller has it or not. */
export const explainCommand: SchemasCommand = {
  usage: [
    [
      'explain [folder] -- --as engineer --screen customers',
      'why each part of a screen, popup or menu is there or not, and what it may call',
    ],
    [
      '  --without addProducts,prices',
      'for someone who holds everything but these views, permissions or features (list too)',
    ],
  ],
  async run(args) {
    const { folder, as, screen, without } = readCaller(args);
    if (as === undefined || screen === undefined) return undefined;
    return tell(folder, compiled => explainDocument(compiled, screen, as, without));
  },
};
