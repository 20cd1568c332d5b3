import { runCommand } from './schemas/run-command.ts';

process.exitCode = await runCommand(process.argv.slice(2));
// Nothing that the sources' loader or a library leaves open keeps the shell waiting.
process.exit();
