import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Node } from '../../shared/language/types.ts';
import type { CommandDeclaration } from '../layouts/names/command-declaration.ts';
import type { Caller } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import type { CookiesToSet } from './cookies-to-set.ts';

/** The input of one run of a command. The caller's right to run it has been checked, and the body is valid for its form. */
export type CommandContext = {
  readonly caller: Caller;
  readonly node: Node;
  readonly with: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly press?: string | undefined;
  /** Identifier of the sign-in stage or unfinished flow, from this browser's cookie. */
  readonly stage?: string | undefined;
  readonly services: Services;
};

export type CommandReply = CookiesToSet & { readonly status?: number; readonly envelope: Envelope };

/** A named decision of a flow that only the server can make. */
export type Command = {
  readonly declaration: CommandDeclaration;
  /** Server-computed form values (named `$…`). They override anything of that name that the browser sends. */
  formState?(context: Omit<CommandContext, 'node'>): Promise<Readonly<Record<string, unknown>>>;
  /** Throws a PortalError. */
  run(context: CommandContext): Promise<CommandReply>;
};
