import type { Reply } from '../../../shared/language/reply.ts';
import type { Scalar, WrittenRequirement } from '../../../shared/language/types.ts';

/** What the layouts need to know of a command; the rest of it is its own business. */
export type CommandDeclaration = {
  readonly name: string;
  /** Operation or command by whose words this one is told, where it has none of its own. */
  readonly toldAs?: string;
  /** Parameters that a document may hand over. */
  readonly parameters?: readonly string[];
  /** Of these, the values of those that have a few. */
  readonly values?: Readonly<Record<string, readonly Scalar[]>>;
  /** Id of the form document of its body. */
  readonly body?: string;
  /** True where the form is made when it is asked for: the command checks its body itself. */
  readonly ownBody?: boolean;
  /** By a name of access.json, or written out. */
  readonly requires?: WrittenRequirement;
  /** Operations that it asks in the caller's name. */
  readonly asks?: readonly string[];
  /** Commands that it runs for its caller, whose requirements are each met or it is refused. */
  readonly runs?: readonly string[];
  /** Popups that its reply may open. */
  readonly opens?: readonly string[];
  /** What its Result is, in the notation of operations: nothing else leaves. */
  readonly reply?: Reply;
};
