import type { FieldNode, Layout, Node, Operation } from '../../../shared/language/types.ts';
import type { MissingRights } from '../../access/missing-rights.ts';
import type { Principal } from '../../access/principal.ts';
import type { Contract } from '../names/contract.ts';
import type { HashedJourney } from '../names/pass.ts';
import type { ResolvedCommand } from '../names/scope.ts';
import type { Wording } from '../names/server-texts.ts';
import type { OnBreach } from '../project/cut.ts';

/** One document as one kind of caller gets it. */
export type TrimmedLayout = {
  readonly id: string;
  readonly hash: string;
  readonly layout: Layout;
  /** The layout as it goes over the wire. */
  readonly bytes: Buffer;
  /** Nodes that may call, by id. */
  readonly nodes: ReadonlyMap<string, Node>;
};

/** What a caller may do with an operation or command, and where. */
export type Capability = {
  /** Requests may name these parameters and no others; parameters bound to the caller are not among them. */
  readonly parameters: ReadonlySet<string>;
  /** Values that the caller may not name in a parameter (sort and filter names of fields it may not have). */
  readonly refused: ReadonlyMap<string, ReadonlySet<string>>;
  /** Parameters that the server sets from the principal: name → its fact. */
  readonly own: ReadonlyMap<string, string>;
  /** Fields of its body for this caller; absent where it takes none. */
  readonly fields?: readonly FieldNode[];
};

/** Something that a caller may ask for, since rights alone are missing for it. Server only, but for the title. */
export type Requestable = {
  readonly title: string;
  /** The fewest rights with which it would be there. */
  readonly rights: MissingRights;
  /** The route of the screen that it is; absent for a node. */
  readonly route?: string;
};

/**
 * Everything that one kind of caller can see and do, made once per distinct set of rights: `trim` of the current
 * documents. What is not in here does not exist for the caller.
 */
export type Access = Wording & {
  readonly key: string;
  /** Route patterns of the caller's screens, in matching order. */
  readonly patterns: readonly string[];
  /** Other addresses of the caller's screens, with the route that each leads to, in matching order. */
  readonly aliases: ReadonlyMap<string, string>;
  /** By route pattern. */
  readonly screens: ReadonlyMap<string, TrimmedLayout>;
  /** By id. */
  readonly popups: ReadonlyMap<string, TrimmedLayout>;
  readonly navigation?: TrimmedLayout;
  readonly byHash: ReadonlyMap<string, TrimmedLayout>;
  readonly landing: string;
  /** Operations read by data sources. */
  readonly reads: ReadonlyMap<string, Capability>;
  /** Operations whose files are downloaded. */
  readonly files: ReadonlyMap<string, Capability>;
  /** Operations called by effects. */
  readonly writes: ReadonlyMap<string, Capability>;
  readonly commands: ReadonlyMap<string, Capability>;
  /**
   * Cuts a reply of the cloud to what this caller's layouts read, sanitising HTML. A field that breaks the contract of its
   * operation counts as absent, and is told to `onBreach`.
   */
  project(operation: string, reply: unknown, onBreach?: OnBreach): unknown;
  projectCommand(command: string, reply: unknown, onBreach?: OnBreach): unknown;
  /** Paths below the Result of an operation's reply that `project` lets pass; of lists, those of their items. */
  fieldsOf(operation: string): readonly string[];
  /** The contract of the Result of an operation's reply, as far as `project` lets it pass. */
  replyOf(operation: string): Contract | undefined;
  /** Nodes and screens that the caller may ask for, by the key of the text that marks them (`requestable`). */
  readonly requestable: ReadonlyMap<string, Requestable>;
  /** The runtime's words. */
  readonly words: Readonly<Record<string, unknown>>;
};

/** Something that a caller has. `name` and `detail` are told to people. */
export type Outlined = { readonly name: string; readonly detail: string };

/** An access in the words of people: each thing in it by a key that is the same for every caller. */
export type Outline = {
  /** By route; `detail` is that too. */
  readonly screens: ReadonlyMap<string, Outlined>;
  /** Operations and commands, by name; `detail` is method and path of an operation. */
  readonly calls: ReadonlyMap<string, Outlined>;
  /** Fields of replies (`operation reply.path`) and of bodies (`operation body.name`). */
  readonly fields: ReadonlyMap<string, Outlined>;
  /** Menu entries, buttons, columns, cards and whatever else has a text: `screen:<id> <what tells it from others>`. */
  readonly parts: ReadonlyMap<string, Outlined>;
};

/** A screen that somebody can open, or a call that they can make: what is done, seen or downloaded. */
export type Act = {
  readonly kind: 'Screen' | 'Act' | 'Data' | 'File';
  /** In the words of people. */
  readonly name: string;
  /** The address of a screen; of a call the screens on which it stands, some of them where they are many. */
  readonly on: string;
};

/** One good version of the schemas. A request holds on to it from start to end. */
export type Version = {
  readonly hash: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Journeys by their ids. */
  readonly journeys: ReadonlyMap<string, HashedJourney>;
  readonly commands: ReadonlyMap<string, ResolvedCommand>;
  /** The envelope that each command answers with. */
  readonly commandContracts: ReadonlyMap<string, Contract>;
  /** Every route pattern of any screen: tells "not found" from "access denied". */
  readonly patterns: readonly string[];
  /** Languages that have texts, the default one first. */
  readonly languages: readonly string[];
  access(principal: Principal): Access;
  /** Tells what anybody with these rights would have, without remembering it. */
  outline(principal: Principal): Outline;
  /** As `outline`: the screens by their routes, and the calls by their names. */
  acts(principal: Principal): ReadonlyMap<string, Act>;
  /**
   * The principal as this version speaks to it: the locale of its facts is that of the language that its profile asks
   * for, or, where that says nothing, the browser in its header `Accept-Language`.
   */
  speakTo(principal: Principal, acceptLanguage?: string): Principal;
  /** How the server speaks to somebody of whom only the header is known. */
  wording(acceptLanguage?: string): Wording;
};
