import { schemasCommands } from './schemas/commands.ts';

function describeUsage(): string {
  const lines = Object.values(schemasCommands).flatMap(({ usage }) =>
    usage.map(([written, does]) => `  npm run schemas ${written}\n      ${does}`),
  );
  return ['Usage:', ...lines].join('\n');
}

async function run(): Promise<number> {
  const [verb = '', ...args] = process.argv.slice(2);
  const code = Object.hasOwn(schemasCommands, verb) ? await schemasCommands[verb]?.run(args) : undefined;
  if (code !== undefined) return code;
  throw new Error(describeUsage());
}

process.exitCode = await run().catch((error: Error) => {
  console.error(error.message);
  return 2;
});
// Nothing that the sources' loader or a library leaves open keeps the shell waiting.
process.exit();
