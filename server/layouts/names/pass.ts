import type { UserType } from '../../../shared/contract/boot.ts';
import type { FieldNode, Journey, LayoutText, Requirement } from '../../../shared/language/types.ts';
import { missingRights } from '../../access/missing-rights.ts';
import type { Principal } from '../../access/principal.ts';
import { decide } from '../../access/requirement.ts';
import type { AskedRequirements, Names } from './scope.ts';
import type { LongDocument, Pointer } from './source.ts';
import type { Texts } from './texts.ts';

/** What a kept part of a layout uses. */
export type Use =
  | {
      readonly kind: 'read';
      readonly operation: string;
      readonly path: string;
      readonly source?: string;
    }
  /** A list is offered in the order of a field that need not be read. */
  | { readonly kind: 'order'; readonly operation: string; readonly path: string }
  | { readonly kind: 'source'; readonly operation: string }
  | { readonly kind: 'file'; readonly operation: string }
  | { readonly kind: 'write'; readonly operation: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'popup'; readonly popup: string }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'state'; readonly name: string }
  | { readonly kind: 'field'; readonly form: string; readonly name: string }
  /** A caller who lacks rights for it may ask for what is called so by its mark. */
  | { readonly kind: 'ask'; readonly mark: string; readonly requires: Requirement };

/** A position in a pass. When a part is trimmed after all, `rollBackTo` removes what it has recorded since. */
export type Mark = { readonly uses: number; readonly callingNodes: number };

/** Callbacks that explain what a trimming pass does. */
export type Observer = {
  /** An action that leads somewhere, and whether that is there for the caller. */
  lead?(lead: Lead, there: boolean): void;
  /** A part is about to be trimmed; `partDone` follows when its own parts have been. */
  part?(part: Part): void;
  partDone?(kept: boolean): void;
  /** Something else than a requirement that is not there. */
  missing?(what: string): void;
  /** Of a list of nodes, at this place in the part that is evaluated, nothing is left that could stand alone. */
  emptied?(list: Pick<Part, 'source' | 'at'>): void;
};

/** What a pass asks about its caller. */
export type CallerFacts = {
  readonly type: UserType;
  /** In which its texts are, and numbers and dates are written. */
  readonly locale: string;
  meets(requirement: Requirement | undefined): boolean;
  /** True where rights alone are missing for a requirement, so that it could be given them. */
  mayAsk(requirement: Requirement): boolean;
  /** True for the key of a document that is not there for it. */
  lacks(document: string): boolean;
};

/**
 * Gives what trimming may ask of a caller: user type, locale, whether a requirement is met or may be asked for, and
 * whether a document is out of reach (`dead`).
 */
export const callerFacts = (principal: Principal, dead: ReadonlySet<string>): CallerFacts => ({
  type: principal.type,
  locale: principal.facts.locale,
  meets: requirement => decide(requirement, principal).met,
  mayAsk: requirement => missingRights(requirement, principal) !== undefined,
  lacks: document => dead.has(document),
});

/** State of one trimming pass over one document. A value whose emitter returns undefined is trimmed. */
export class TrimPass {
  readonly uses: Use[] = [];
  /** Kept nodes that can call an operation or command. */
  readonly callingNodes: Record<string, unknown>[] = [];
  /** Ids of tables that are not there for this caller. */
  readonly lostTables = new Set<string>();
  /** Data sources of the document that are there for this caller. */
  sources: ReadonlySet<string> = new Set();
  /** What each data source itself uses; counted only when the source is. */
  readonly sourceUses = new Map<string, readonly Use[]>();
  readonly caller: CallerFacts;
  private readonly compiled: Compiled;
  private readonly fields = new Map<string, ReadonlySet<string>>();

  readonly observer: Observer | undefined;

  constructor(compiled: Compiled, caller: CallerFacts, observer?: Observer) {
    this.observer = observer;
    this.compiled = compiled;
    this.caller = caller;
  }

  meets = (requirement: Requirement | undefined): boolean => this.caller.meets(requirement);

  mark(): Mark {
    return { uses: this.uses.length, callingNodes: this.callingNodes.length };
  }

  rollBackTo(to: Mark): undefined {
    this.uses.length = to.uses;
    this.callingNodes.length = to.callingNodes;
  }

  text(key: string): LayoutText {
    return this.compiled.texts.resolve(key, this.meets, this.caller.locale);
  }

  catalogue(id: string): unknown {
    return this.compiled.catalogues.get(id)?.(this);
  }

  /** Names of the fields of a form document that are there for this caller. */
  fieldsOf(form: string): ReadonlySet<string> {
    let fields = this.fields.get(form);
    if (!fields) {
      const pass = new TrimPass(this.compiled, this.caller);
      fields = new Set(
        this.compiled.forms
          .get(form)?.(pass)
          ?.map(field => field.propertyName),
      );
      this.fields.set(form, fields);
    }
    return fields;
  }

  routeIsThere(pattern: string): boolean {
    const screen = this.compiled.screenByPattern.get(pattern);
    return screen !== undefined && !this.caller.lacks(screen);
  }

  popupIsThere(id: string): boolean {
    return this.compiled.documents.has(`popup:${id}`) && !this.caller.lacks(`popup:${id}`);
  }

  mayCall(operation: string): boolean {
    const found = this.compiled.names.operations.get(operation);
    return found !== undefined && this.meets(found.requires);
  }

  mayCommand(command: string): boolean {
    const found = this.compiled.names.commands.get(command);
    return found !== undefined && this.meets(found.requires);
  }
}

export type CompiledDocument = {
  /** `screen:<id>`, `popup:<id>` or `navigation:<id>`. */
  readonly key: string;
  readonly kind: 'screen' | 'popup' | 'navigation';
  readonly source: LongDocument;
  readonly emit: Emit;
  /** Keys of the documents that this one leads to. */
  readonly refers: ReadonlySet<string>;
};

/** One whole set of documents, checked and ready to be trimmed. */
export type Compiled = {
  /** The documents in their long form. */
  readonly sources: readonly LongDocument[];
  readonly documents: ReadonlyMap<string, CompiledDocument>;
  readonly names: Names;
  /** By their ids, the journeys with their documents' hashes. */
  readonly journeys: ReadonlyMap<string, HashedJourney>;
  readonly texts: Texts;
  readonly catalogues: ReadonlyMap<string, Emit>;
  readonly forms: ReadonlyMap<string, (trim: TrimPass) => FieldNode[] | undefined>;
  /** Route pattern → key of its screen. */
  readonly screenByPattern: ReadonlyMap<string, string>;
  /** What documents mention: operations, popups, forms, catalogues and texts. */
  readonly mentions: Mentions;
  readonly requirements: AskedRequirements;
};

export type HashedJourney = { readonly journey: Journey; readonly hash: string };

/** What documents mention, by kind: tells what nothing reaches. */
export type Mentions = {
  readonly [kind in
    | 'operation'
    | 'popup'
    | 'part'
    | 'form'
    | 'journey'
    | 'catalogue'
    | 'text'
    | 'command']: Set<string>;
};

/** Renders a compiled value for one caller, or returns undefined if the caller may not see it. */
export type Emit = (trim: TrimPass) => unknown;

/** Something that leads to a screen or popup. */
export type Lead = { readonly source: LongDocument; readonly at: Pointer; readonly target: string };

/** One object of a document, of which trimming keeps all that it cannot do without, or nothing. */
export type Part = {
  readonly source: LongDocument;
  readonly at: Pointer;
  readonly value: Readonly<Record<string, unknown>>;
  /** True for what may have a requirement of its own: a node, a column, an entry, a data source. */
  readonly isUnit: boolean;
};
