import { explainCommand, listCommand } from './schemas/caller-commands.ts';
import { checkCommand } from './schemas/check-command.ts';
import { contractCommand, importCommand, migrateCommand } from './schemas/cloud-commands.ts';
import type { SchemasCommand } from './schemas/command.ts';
import { countCommand } from './schemas/count-command.ts';
import { diffCommand } from './schemas/diff-command.ts';
import { metaCommand, namesCommand } from './schemas/meta-command.ts';
import { mistakesCommand } from './schemas/mistakes-command.ts';
import { newCommand } from './schemas/new-command.ts';

/** The commands of `npm run schemas`, in the order of the usage. */
const commands: Readonly<Record<string, SchemasCommand>> = {
  check: checkCommand,
  list: listCommand,
  explain: explainCommand,
  diff: diffCommand,
  new: newCommand,
  count: countCommand,
  mistakes: mistakesCommand,
  contract: contractCommand,
  import: importCommand,
  migrate: migrateCommand,
  meta: metaCommand,
  names: namesCommand,
};

function describeUsage(): string {
  const lines = Object.values(commands).flatMap(({ usage }) =>
    usage.map(([written, does]) => `  npm run schemas ${written}\n      ${does}`),
  );
  return ['Usage:', ...lines].join('\n');
}

async function run(): Promise<number> {
  const [verb = '', ...args] = process.argv.slice(2);
  const code = Object.hasOwn(commands, verb) ? await commands[verb]?.run(args) : undefined;
  if (code !== undefined) return code;
  throw new Error(describeUsage());
}

process.exitCode = await run().catch((error: Error) => {
  console.error(error.message);
  return 2;
});
// Nothing that the sources' loader or a library leaves open keeps the shell waiting.
process.exit();
