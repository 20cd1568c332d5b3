import { schemasCommands } from './commands.ts';

function describeUsage(): string {
  const lines = Object.values(schemasCommands).flatMap(({ usage }) =>
    usage.map(([written, does]) => `  npm run schemas ${written}\n      ${does}`),
  );
  return ['Usage:', ...lines].join('\n');
}

/**
 * Runs the `npm run schemas` command that the words name, prints its output or what is wrong, and gives the exit code.
 */
export async function runCommand([verb = '', ...args]: readonly string[]): Promise<number> {
  try {
    const code = Object.hasOwn(schemasCommands, verb) ? await schemasCommands[verb]?.run(args) : undefined;
    if (code !== undefined) return code;
    console.error(describeUsage());
  } catch (error) {
    console.error((error as Error).message);
  }
  return 2;
}
