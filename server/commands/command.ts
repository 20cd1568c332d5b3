import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Node } from '../../shared/language/types.ts';
import type { CommandDeclaration } from '../layouts/command-declaration.ts';
import type { Caller } from '../operations/caller.ts';
import type { Services } from '../operations/services.ts';
import type { CookiesToSet } from './cookies-to-set.ts';

/** One run of a command. Its caller may run it, its node says so, and its body has passed the rules of its form. */
export type CommandContext = {
  readonly caller: Caller;
  readonly node: Node;
  readonly with: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly press?: string | undefined;
  /** Names the half-finished flow that this browser is in. */
  readonly step?: string | undefined;
  readonly services: Services;
};

export type CommandReply = CookiesToSet & { readonly status?: number; readonly envelope: Envelope };

/** One server-side step of a flow. */
export type Command = {
  readonly declaration: CommandDeclaration;
  /** Values named `$…` that the conditions of its form read: the server's own, whatever the browser says. */
  formState?(context: Omit<CommandContext, 'node'>): Promise<Readonly<Record<string, unknown>>>;
  /** Throws a PortalError. */
  run(context: CommandContext): Promise<CommandReply>;
};
