import { commands } from '../commands/index.ts';
import { findJourneyCommand } from '../journeys/journey-command.ts';
import type { Caller } from '../operations/caller.ts';

/** Characters of one value up to which a form is an ordinary one; as many as a field has that says nothing of it. */
const ordinary = 10_000;

/**
 * True when a call may have a large body: the caller's form has a field for a long text (a list of addresses, of ticked
 * rows), or the command checks its body itself. False for what the caller may not call.
 */
export function takesLargeBody(
  { access, version }: Caller,
  { operation, command }: { readonly operation?: string | undefined; readonly command?: string | undefined },
): boolean {
  const capability = operation === undefined ? access.commands.get(command as string) : access.writes.get(operation);
  if (!capability) return false;
  const found = command === undefined ? undefined : (commands.get(command) ?? findJourneyCommand(command, version));
  if (found?.declaration.ownBody) return true;
  return capability.fields?.some(({ maxLength = 0 }) => maxLength > ordinary) ?? false;
}
