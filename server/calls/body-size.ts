import { commands } from '../commands/index.ts';
import type { Caller } from '../operations/caller.ts';

/** Characters of one value up to which a form is an ordinary one; as many as a field has that says nothing of it. */
const ordinary = 10_000;

/**
 * True where a caller's own form has a field for more than an ordinary text, as a list of addresses or of ticked rows is,
 * or where the command judges its body itself. What the caller may not call takes nothing large.
 */
export function takesLargeBody(
  { access }: Caller,
  { operation, command }: { readonly operation?: string | undefined; readonly command?: string | undefined },
): boolean {
  const capability = operation === undefined ? access.commands.get(command as string) : access.writes.get(operation);
  if (!capability) return false;
  if (command !== undefined && commands.get(command)?.declaration.ownBody) return true;
  return capability.fields?.some(({ maxLength = 0 }) => maxLength > ordinary) ?? false;
}
